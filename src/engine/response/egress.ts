/** Which addresses a request may reach, and a connector that holds every socket to it. */
import { lookup } from 'node:dns'
import { setMaxListeners } from 'node:events'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { buildConnector } from 'undici'
import { ConnectorError } from '../../errors.ts'

/**
 * `loopback-allowed`: all but link-local, metadata and other addresses that are nobody's API; private networks are open.
 * `public-only`: what the whole internet can reach. `any`: no check.
 */
export type Egress = 'loopback-allowed' | 'public-only' | 'any'

/** Nobody serves an API here; link-local is where clouds keep the credentials of their machines. */
const neverAnApi: readonly string[] = ['linkLocal', 'unspecified', 'multicast', 'broadcast', 'discard']

/** Metadata services outside link-local: AWS and Google over IPv6, Alibaba, Oracle, Azure. */
const metadata = ['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '192.0.0.192', '168.63.129.16'].map((address) =>
  ipaddr.parse(address).toNormalizedString(),
)

/** Whether the policy lets a request reach this IP address. */
export function mayReach(address: string, egress: Egress): boolean {
  if (egress === 'any') return true
  // A zone (`fe80::1%eth0`) says nothing about the range.
  const bare = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(bare)) return false
  const meant = embeddedIpv4(ipaddr.process(bare))
  const range: string = meant.range()
  if (neverAnApi.includes(range) || metadata.includes(meant.toNormalizedString())) return false
  return egress === 'loopback-allowed' || range === 'unicast'
}

/** Translators and tunnels carry an IPv4 address inside an IPv6 one; a packet ends up there. */
function embeddedIpv4(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  const bytes = address.toByteArray()
  switch (address.range()) {
    case 'rfc6052':
    case 'rfc6145':
      return new ipaddr.IPv4(bytes.slice(12))
    case '6to4':
      return new ipaddr.IPv4(bytes.slice(2, 6))
    default:
      return address
  }
}

/**
 * A connector that refuses an address three times over: a literal before the connection is opened, a name when it is
 * resolved, and whatever the socket reached before the request is written. The last one is the proof, since a name can
 * change between two look-ups; the first two keep a forbidden host from seeing a connection at all.
 * The signal ends every socket, those still connecting included.
 */
export function guardedConnector(egress: Egress, connectMs: number, signal: AbortSignal): buildConnector.connector {
  // One listener per open socket is no leak.
  setMaxListeners(0, signal)
  const connect = buildConnector({ timeout: connectMs, lookup: guardedLookup(egress), signal })
  return (options, callback) => {
    if (ipaddr.isValid(options.hostname) && !mayReach(options.hostname, egress)) {
      return callback(refused(options.hostname, options.hostname), null)
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
