/** Send → Send whose requests say what they are for, to whoever watches the network. */
import type { Purpose } from '../request/http-request.ts'
import type { Send } from './http-response.ts'

/** A purpose that is closer to the request stays: the token of a parent stream is a token. */
export function withPurpose(send: Send, purpose: Purpose): Send {
  return (request, signal) => send({ purpose, ...request }, signal)
}
