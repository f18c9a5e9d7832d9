/** Send → Send that holds a small body whole, also where it was requested as a stream: rules can then read what it says. */
import type { BodyStream, HttpResponse, Send } from './http-response.ts'

/** Larger than any error that an API writes in place of records. */
export const smallBytes = 16 * 1024

export function withSmallBodies(send: Send): Send {
  return async (request, signal) => {
    const response = await send(request, signal)
    return response.stream === undefined ? response : await heldIfSmall(response, response.stream)
  }
}

async function heldIfSmall(response: HttpResponse, stream: BodyStream): Promise<HttpResponse> {
  const chunks = stream.chunks[Symbol.asyncIterator]()
  const held: Uint8Array[] = []
  let bytes = 0
  try {
    while (bytes <= smallBytes) {
      const { done, value } = await chunks.next()
      if (done) {
        const { stream: _read, ...head } = response
        return { ...head, body: Buffer.concat(held) }
      }
      held.push(value)
      bytes += value.length
    }
  } catch (failure) {
    // What came before the failure is read first, as without holding.
    return {
      ...response,
      stream: { ...stream, chunks: joined(held, { next: () => Promise.reject(failure) }, stream.discard) },
    }
  }
  return { ...response, stream: { ...stream, chunks: joined(held, chunks, stream.discard) } }
}

async function* joined(
  held: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
  discard: () => void,
): AsyncGenerator<Uint8Array> {
  let isOver = false
  try {
    yield* held
    yield* { [Symbol.asyncIterator]: () => rest }
    isOver = true
  } finally {
    // A reader that stops within what is held ends the exchange, too.
    if (!isOver) discard()
  }
}
