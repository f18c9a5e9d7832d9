/** A configured address → its origin, or an error that names the problem. */
import { isUrl } from '../std/text/is-url.ts'
import { ConnectorError } from '../std/errors.ts'

/** URLs allow quotes and ampersands in a host; headers, XML and HTML, into which it is written, do not. */
const plainHost = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/

/** `https://turnleaf.example`: scheme, host and port, without a slash at the end. */
export function checkOrigin(text: string, name: string): string {
  const url = isUrl(text) ? new URL(text) : null
  if (url === null) throw refusal(text, name, 'is not an absolute URL')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refusal(text, name, 'is neither http nor https')
  // Before the text is quoted anywhere: what looks like a password is not repeated.
  if (url.username !== '' || url.password !== '') throw refusal(url.host, name, 'carries credentials')
  // An empty query or fragment leaves its mark in `href` only.
  if (url.href !== `${url.origin}/`) throw refusal(text, name, 'holds more than scheme, host and port')
  if (!plainHost.test(url.hostname)) throw refusal(text, name, 'has a host that is not a valid host name')
  return url.origin
}

function refusal(shown: string, name: string, fault: string): ConnectorError {
  return new ConnectorError('site/invalid-base-url', `The ${name} \`${shown}\` ${fault}.`)
}
