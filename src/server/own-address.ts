/** Where the server is reached: what a request may name as its host, and a page as its origin. */
import { isUrl } from '../is-url.ts'

/** The end of a connection that is ours. */
export type LocalEnd = { readonly localAddress?: string | undefined; readonly localPort?: number | undefined }

/** Only this machine can reach such a host. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/**
 * The published address, and the one that the connection came in at. Names resolve to whatever their owner likes, so
 * no other name counts; the address of a connection cannot be made up by a page.
 */
export function ownOrigins(apiUrl: string, { localAddress, localPort }: LocalEnd): ReadonlySet<string> {
  const published = new URL(apiUrl)
  const address = (localAddress ?? published.hostname).replace(/^::ffff:|^\[|\]$/g, '')
  const port = localPort ?? published.port
  const hosts = isLoopback(address) ? ['localhost', '127.0.0.1', '[::1]'] : []
  const literal = address.includes(':') ? `[${address}]` : address
  const here = localAddress === undefined ? hosts : [...hosts, literal]
  return new Set([published.origin, ...here.flatMap((host) => originOf(`http://${host}:${port}`) ?? [])])
}

/** The host of a request, as an origin of either kind: TLS may end before the server. */
export function namesOwnHost(host: string, own: ReadonlySet<string>): boolean {
  return ['http', 'https'].some((scheme) => own.has(originOf(`${scheme}://${host}`) ?? ''))
}

function originOf(url: string): string | null {
  if (!isUrl(url)) return null
  const { origin, href } = new URL(url)
  // A host with a path or a password in it is no host.
  return href === `${origin}/` ? origin : null
}
