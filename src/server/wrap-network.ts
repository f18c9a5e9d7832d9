/** A network that a client's call goes through, made from the usual one; for example, to add credentials that the client must not see. */
import type { Network } from '../engine/response/send.ts'

/** Closing the result closes the network. */
export type WrapNetwork = (network: Network) => Network

export const asItIs: WrapNetwork = (network) => network
