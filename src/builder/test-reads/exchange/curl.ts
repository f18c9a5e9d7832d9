/** A request as shown → a command for a shell. What is hidden becomes a variable, so that no secret is ever copied. */
import { mask } from '../../../engine/secrets/credential-names.ts'
import type { ShownRequest } from '../../../server/wire/exchange.ts'

/** curl says these itself, and rightly so. */
const ownHeaders = new Set([
  'host',
  'content-length',
  'connection',
  'accept-encoding',
  'transfer-encoding',
  'user-agent',
])

export type CurlCommand = {
  readonly text: string
  /** What the shell must know before: `API_KEY`. */
  readonly variables: readonly string[]
}

/** @param secrets names of the secret inputs; where there is just one, the variable has its name. */
export function curlCommand({ method, url, headers, body }: ShownRequest, secrets: readonly string[]): CurlCommand {
  const variables = new Set<string>()
  const [only] = secrets.length === 1 ? secrets : []
  /** Hidden parts of a string as variables named after the secret, or after its place. */
  const quote = (text: string, place: string, variable = only ?? place) =>
    quoted(text, () => {
      const name = variableName(variable)
      variables.add(name)
      return name
    })
  const sent = Object.entries(headers).filter(([name]) => !ownHeaders.has(name.toLowerCase()))
  const isUsualMethod = method === (body === null ? 'GET' : 'POST')
  const isCompressed = Object.keys(headers).some((name) => name.toLowerCase() === 'accept-encoding')
  const parts = [
    `curl ${isUsualMethod ? '' : `-X ${method} `}${quotedUrl(url, quote)}`,
    ...sent.map(
      ([name, value]) => `-H ${quote(`${name}: ${value}`, name, isWholeCredential(name, value) ? name : only)}`,
    ),
    ...(body === null ? [] : [`--data-raw ${quote(body, 'secret')}`]),
    ...(isCompressed ? ['--compressed'] : []),
  ]
  return { text: parts.join(' \\\n  '), variables: [...variables] }
}

/** All of `Authorization` is hidden, `Bearer` too: the variable is the header's value then, not the input's. */
function isWholeCredential(name: string, value: string): boolean {
  return value === mask && /^(proxy-)?authorization$|^cookie$/i.test(name)
}

/** Each hidden value of a query is named after its parameter. */
function quotedUrl(url: string, quote: (text: string, place: string) => string): string {
  const parts = url.split(/(?<=[?&])/)
  const isHiddenOnce = url.split(mask).length <= 2
  if (isHiddenOnce) return quote(url, /[?&]([^=&]*)=[^&]*\*{4}/.exec(url)?.[1] ?? 'credentials')
  return parts.map((part) => quote(part, /^([^=]+)=/.exec(part)?.[1] ?? 'credentials')).join('')
}

/** Single quotes keep everything as it is; only the variables are outside of them. */
function quoted(text: string, variable: () => string): string {
  const [first = '', ...rest] = text.split(mask).map((part) => `'${part.replaceAll("'", `'\\''`)}'`)
  return [first, ...rest.map((part) => `"$${variable()}"${part}`)].join('').replaceAll(`"''`, '"')
}

/** `X-Api-Key` → `X_API_KEY` */
function variableName(text: string): string {
  const name = text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return /^[A-Z]/.test(name) ? name : `SECRET${name === '' ? '' : `_${name}`}`
}
