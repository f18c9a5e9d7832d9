/** Which addresses a request may reach, and a connector that enforces it for every socket. */
import { lookup } from 'node:dns'
import { setMaxListeners } from 'node:events'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { buildConnector } from 'undici'
import { ConnectorError } from '../../std/errors.ts'

/**
 * `loopback-allowed`: all but link-local, metadata and other addresses that serve no API; private networks are open.
 * `public-only`: what the whole internet can reach. `any`: no check.
 */
export type Egress = 'loopback-allowed' | 'public-only' | 'any'

/** No API is served here; link-local is where clouds keep the credentials of their machines. */
const neverAnApi: readonly string[] = ['linkLocal', 'unspecified', 'multicast', 'broadcast', 'discard']

/** Metadata services outside link-local: AWS and Google over IPv6, Alibaba, Oracle, Azure; as `toNormalizedString` writes them. */
const metadata = ['fd00:ec2:0:0:0:0:0:254', 'fd20:ce:0:0:0:0:0:254', '100.100.100.200', '192.0.0.192', '168.63.129.16']

/** Whether the policy lets a request reach this IP address. */
export function mayReach(address: string, egress: Egress): boolean {
  if (egress === 'any') return true
  // A zone (`fe80::1%eth0`) says nothing about the range.
  const bare = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(bare)) return false
  return meantBy(ipaddr.process(bare)).every((meant) => {
    const range: string = meant.range()
    if (neverAnApi.includes(range) || metadata.includes(meant.toNormalizedString())) return false
    return egress === 'loopback-allowed' || (range === 'unicast' && isGlobal(meant))
  })
}

/** What is given out to be reached from everywhere, of IPv6: 2000::/3. The rest is reserved, whatever a library calls it. */
function isGlobal(address: Address): boolean {
  return address.kind() === 'ipv4' || ((address.toByteArray()[0] ?? 0) & 0xe0) === 0x20
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

/**
 * Translators and tunnels carry an IPv4 address inside an IPv6 one, and a packet ends up there. Where the outside is
 * nothing but a wrapping, the inside alone is meant; elsewhere both must be open.
 */
function meantBy(address: Address): Address[] {
  if (address.kind() === 'ipv4') return [address]
  const bytes = address.toByteArray()
  const inside = (start: number, flip = 0) => new ipaddr.IPv4(bytes.slice(start, start + 4).map((byte) => byte ^ flip))
  const startsWith = (...prefix: number[]) => prefix.every((byte, index) => bytes[index] === byte)
  // 64:ff9b::/96, the well-known prefix of NAT64, and ::ffff:0:0:0/96 of stateless translation.
  if (startsWith(0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0)) return [inside(12)]
  if (startsWith(0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0)) return [inside(12)]
  // 6to4.
  if (startsWith(0x20, 0x02)) return [inside(2)]
  // `::127.0.0.1`, IPv4-compatible: long out of use, and some systems still connect. `::` and `::1` mean themselves.
  const isCompatible = startsWith(...Array.from({ length: 12 }, () => 0)) && !['::', '::1'].includes(address.toString())
  if (isCompatible) return [address, inside(12)]
  // NAT64 of a local network (64:ff9b:1::/48): only that network knows how the address is laid out in it.
  if (startsWith(0, 0x64, 0xff, 0x9b, 0, 1)) {
    const laidOut = new ipaddr.IPv4([bytes[6], bytes[7], bytes[9], bytes[10]].map((byte) => byte ?? 0))
    return [address, inside(12), laidOut]
  }
  // Teredo: the server, and the client with every bit turned.
  if (startsWith(0x20, 0x01, 0, 0)) return [address, inside(4), inside(12, 0xff)]
  // ISATAP: `…:0:5efe:a.b.c.d`, also with the universal bit.
  if ([0, 2].includes(bytes[8] ?? -1) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe) {
    return [address, inside(12)]
  }
  return [address]
}

/**
 * A connector that refuses an address three times over: a literal before the connection is opened, a name when it is
 * resolved, and whatever the socket reached before the request is written. The last one is the proof, since a name can
 * change between two look-ups; the first two keep a forbidden host from seeing a connection at all.
 * The signal ends every socket, those still connecting included.
 */
export function guardedConnector(
  build: typeof buildConnector,
  egress: Egress,
  connectMs: number,
  signal: AbortSignal,
): buildConnector.connector {
  // One listener per open socket is no leak.
  setMaxListeners(0, signal)
  const connect = build({ timeout: connectMs, lookup: guardedLookup(egress), signal })
  return (options, callback) => {
    const literal = options.hostname.replace(/^\[(.*)\]$/, '$1')
    if (ipaddr.isValid(literal) && !mayReach(literal, egress)) {
      return callback(refused(literal, literal), null)
    }
    connect(options, (...[error, socket]: Parameters<buildConnector.Callback>) => {
      if (error !== null) return callback(error, null)
      const reached = socket.remoteAddress ?? 'an address already closed'
      if (mayReach(reached, egress)) return callback(null, socket)
      socket.destroy()
      callback(refused(options.hostname, reached), null)
    })
  }
}

function guardedLookup(egress: Egress): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, [])
      const open = found.filter(({ address }) => mayReach(address, egress))
      const [first] = open
      if (first === undefined) return callback(refused(hostname, found[0]?.address ?? 'no address'), [])
      if (options.all === true) callback(null, open)
      else callback(null, first.address, first.family)
    })
  }
}

function refused(hostname: string, address: string): ConnectorError {
  const named = hostname === address ? address : `${hostname} (${address})`
  return new ConnectorError('response/address-refused', `The egress policy refuses to connect to ${named}.`)
}
