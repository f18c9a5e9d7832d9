/** The path of one request → what all streams share of it, what is this stream's, and what to call it. */

const version = /^v?\d+(\.\d+)*$|^v\d\w*$/i
const prefix = /^(api|rest|services|wp-json)$/i

/** `/api/v2/orders` → `/api/v2` and `/orders`. */
export function splitPath(path: string): { readonly base: string; readonly rest: string } {
  const parts = path.split('/').slice(1)
  // The last segment is the resource, whatever its name.
  const before = parts.slice(0, -1)
  const versionAt = before.findIndex((part) => /^v\d/i.test(part))
  let length = versionAt + 1
  if (length === 0) while (length < before.length && prefix.test(before[length] as string)) length += 1
  return { base: joined(parts.slice(0, length)), rest: joined(parts.slice(length)) || '/' }
}

function joined(parts: readonly string[]): string {
  return parts.map((part) => `/${part}`).join('')
}

/** `/users/17/orders.json` → `orders`. */
export function streamName(path: string): string {
  const words = path
    .split('/')
    .filter((part) => !/[{}:%]/.test(part))
    .map((part) => part.replace(/\.(json|xml|csv|ndjson|php)$/i, ''))
    .filter((part) => part !== '' && !version.test(part) && !prefix.test(part) && !/^[\da-f-]{20,}$/i.test(part))
  const name = (words.at(-1) ?? '')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return name === '' ? 'records' : name
}

/** Parameters that are always the same, as part of the path. Templates among them stay as they are. */
export function withFixedQuery(path: string, query: readonly (readonly [name: string, value: string])[]): string {
  const encoded = (text: string) => (text.includes('{{') ? text : encodeURIComponent(text))
  const search = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&')
  return search === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${search}`
}

/** `https://api.eu.shop.example` → `shop`: what the owner of an API is called. Null for an address of numbers. */
export function ownerOf(address: string): string | null {
  const host = /^(?:https?:\/\/)?([^/:?#]+)/i.exec(address)?.[1] ?? ''
  if (/^[\d.]+$/.test(host) || host.startsWith('[')) return null
  const labels = host.split('.').filter((label) => !/^(www|api|rest|app|data|gateway|v\d+)$/i.test(label))
  // `shop.co.uk`: the last two are both of the registry.
  const isNational = labels.length > 2 && /^(co|com|org|net|ac|gov|edu)$/i.test(labels.at(-2) ?? '')
  return labels.at(isNational ? -3 : -2) ?? labels[0] ?? ''
}
