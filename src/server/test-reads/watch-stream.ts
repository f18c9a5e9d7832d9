/** A stream ready to be read → the same, as far as slices are wanted, telling which slice begins and what it asks for. */
import type { OpenStream } from '../../engine/pages/stream.ts'
import type { HttpRequest } from '../../engine/request/http-request.ts'
import type { Slice } from '../../engine/slices/slice.ts'

export type Watcher = {
  /** Asked with the number of slices before it: whether one more is wanted. */
  readonly wantsSlice: (begun: number) => boolean
  readonly onSlice: (slice: Slice) => void
  /** A request of a page leaves, unsigned. */
  readonly onAsked: (request: HttpRequest) => void
}

/** For reads of one slice at a time. */
export function watchStream(stream: OpenStream, { wantsSlice, onSlice, onAsked }: Watcher): OpenStream {
  return {
    ...stream,
    send(request, signal) {
      onAsked(request)
      return stream.send(request, signal)
    },
    async *slices(options) {
      let begun = 0
      for await (const slice of stream.slices(options)) {
        if (!wantsSlice(begun++)) return
        onSlice(slice)
        yield slice
      }
    },
  }
}
