/** What requests are sent with, opened within limits. */
import type { Egress } from './egress.ts'
import type { NetworkLimits } from './failure.ts'
import type { Transport } from './transport.ts'

const defaultLimits: NetworkLimits = {
  // undici's own; a handshake over a satellite takes two seconds.
  connectMs: 10_000,
  // Reporting APIs compute for a minute, and most gateways end their patience at 60 s: theirs should come first.
  headersMs: 90_000,
  bodyMs: 60_000,
  // A page of 100 MB over 3 Mbit/s.
  totalMs: 300_000,
  // Half of V8's longest string, so that whatever is accepted can also be decoded.
  maxBodyBytes: 256 * 1024 * 1024,
}

export type Network = Transport & {
  /** The limit on what is held whole, for those who unpack further. */
  readonly maxBodyBytes: number
}

/**
 * Opens a network: sends requests over kept-alive connections, within limits, to the addresses the policy allows.
 *
 * @example
 * const network = openNetwork({ limits: { totalMs: 30_000 } })
 * const response = await network.send({ method: 'GET', url, headers: {}, body: null }, signal)
 * await network.close()
 */
export function openNetwork(options: { limits?: Partial<NetworkLimits>; egress?: Egress } = {}): Network {
  const limits = { ...defaultLimits, ...options.limits }
  let transport: Transport | null = null
  // Loaded with the first network: undici takes longer to load than all the rest, and validating or planning needs none.
  const opening = import('./transport.ts').then(({ openTransport }) =>
    openTransport(options.egress ?? 'loopback-allowed', limits),
  )
  return {
    send(request, signal) {
      if (transport !== null) return transport.send(request, signal)
      return opening.then((opened) => (transport = opened).send(request, signal))
    },
    close: async () => (await opening).close(),
    maxBodyBytes: limits.maxBodyBytes,
  }
}
