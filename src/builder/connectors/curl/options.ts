/** The options of curl that say what is asked, and those of the others that take a value. */

export type OptionMeaning =
  | 'method'
  | 'header'
  | 'data'
  | 'data-raw'
  | 'data-urlencode'
  | 'json'
  | 'get'
  | 'head'
  | 'user'
  | 'bearer'
  | 'cookie'
  | 'agent'
  | 'referer'
  | 'url'
  | 'url-query'
  | 'form'
  /** Takes a value that says nothing about the request. */
  | 'skip-value'
  | 'skip'

const long: Readonly<Record<string, OptionMeaning>> = {
  request: 'method',
  header: 'header',
  data: 'data',
  'data-ascii': 'data',
  'data-binary': 'data',
  'data-raw': 'data-raw',
  'data-urlencode': 'data-urlencode',
  json: 'json',
  get: 'get',
  head: 'head',
  user: 'user',
  'oauth2-bearer': 'bearer',
  cookie: 'cookie',
  'user-agent': 'agent',
  referer: 'referer',
  url: 'url',
  'url-query': 'url-query',
  form: 'form',
  'form-string': 'form',
}

const short: Readonly<Record<string, OptionMeaning>> = {
  X: 'method',
  H: 'header',
  d: 'data',
  G: 'get',
  I: 'head',
  u: 'user',
  b: 'cookie',
  A: 'agent',
  e: 'referer',
  F: 'form',
}

const skippedWithValue = new Set(
  `output max-time connect-timeout cacert capath cert cert-type key key-type pass proxy proxy-user retry retry-delay
  retry-max-time cookie-jar write-out range limit-rate resolve connect-to interface max-redirs dump-header config
  upload-file ciphers tls-max aws-sigv4 proto proto-redir unix-socket local-port dns-servers doh-url max-filesize
  speed-limit speed-time time-cond trace trace-ascii stderr netrc-file noproxy socks5 socks5-hostname request-target
  keepalive-time engine crlfile pinnedpubkey haproxy-clientip alt-svc hsts etag-save etag-compare output-dir`.split(
    /\s+/,
  ),
)

const skippedShort = new Set('omExcwrDKTCYyztPQU')

export function longOption(name: string): OptionMeaning {
  return Object.hasOwn(long, name) ? (long[name] as OptionMeaning) : skippedWithValue.has(name) ? 'skip-value' : 'skip'
}

export function shortOption(letter: string): OptionMeaning {
  if (Object.hasOwn(short, letter)) return short[letter] as OptionMeaning
  return skippedShort.has(letter) ? 'skip-value' : 'skip'
}

export function takesValue(meaning: OptionMeaning): boolean {
  return meaning !== 'get' && meaning !== 'head' && meaning !== 'skip'
}
