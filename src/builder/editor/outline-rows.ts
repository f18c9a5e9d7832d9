/** The streams of the outline, row by row. */
import { type StreamPlace, streamsIn } from '../../document/stream-paths.ts'
import { pointerOf } from '../../document/value-path.ts'

export type OutlineRow = {
  /** The name of the stream, numbered where another has it too: a row stays the same wherever its stream is moved. */
  readonly id: string
  readonly stream: StreamPlace
  readonly canRise: boolean
  readonly canSink: boolean
}

/** Streams move among those of their own list only. */
export function outlineRows(streams: readonly StreamPlace[]): readonly OutlineRow[] {
  const placed = streams.map((stream) => ({ stream, list: pointerOf(stream.path.slice(0, -1)) }))
  const last = new Map(placed.map(({ stream, list }) => [list, stream]))
  const first = new Map(placed.toReversed().map(({ stream, list }) => [list, stream]))
  const counts = new Map<string, number>()
  return placed.map(({ stream, list }) => {
    const count = (counts.get(stream.name) ?? 0) + 1
    counts.set(stream.name, count)
    const id = count === 1 ? stream.name : `${stream.name} ${count}`
    return { id, stream, canRise: first.get(list) !== stream, canSink: last.get(list) !== stream }
  })
}

/** Where the stream of a row is now. */
export function streamOfRow(root: unknown, id: string): StreamPlace | null {
  return outlineRows(streamsIn(root)).find((row) => row.id === id)?.stream ?? null
}
