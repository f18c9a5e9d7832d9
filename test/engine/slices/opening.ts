/** Opens the cursor of a small stream and drives it as a reader does. */
import { loadManifest, planStream } from '../../../src/index.ts'
import { type CursorTools, openCursor } from '../../../src/engine/slices/cursor.ts'
import type { Partition, Slice } from '../../../src/engine/slices/slice.ts'
import { manifestOf } from '../../helpers/manifests.ts'
import type { StreamState, StreamCursor } from '../../../src/engine/slices/stream-cursor.ts'

export const now = () => Date.UTC(2024, 1, 5)

export const daily = {
  type: 'DatetimeBasedCursor',
  cursor_field: 'u',
  datetime_format: '%Y-%m-%d',
  start_datetime: '2024-01-01',
}

export type Opening = Partial<CursorTools> & { readonly cursor?: object | null; readonly values?: readonly string[] }

export function slicingOf({ cursor = daily, values }: Opening, stream: object = {}) {
  const router = values && { type: 'ListPartitionRouter', values, cursor_field: 'p' }
  const parts = {
    stream: { ...(cursor && { incremental_sync: cursor }), ...stream },
    ...(router && { retriever: { partition_router: router } }),
  }
  return planStream(loadManifest(manifestOf(parts)), 'items', {}).slicing
}

export type Opened = StreamCursor & {
  readonly warnings: string[]
  slicesOf(partition?: Partition): Slice[]
  /** Reads one slice: its records have these values in the cursor field. */
  read(slice: Slice | undefined, ...values: unknown[]): StreamState | null
}

export function open(opening: Opening = {}): Opened {
  const warnings: string[] = []
  const report = (warning: string) => void warnings.push(warning)
  const cursor = openCursor(slicingOf(opening), { config: {}, now, report, ...opening })
  return {
    ...cursor,
    warnings,
    slicesOf: (partition = {}) => [...cursor.windowsOf(partition)].map((window) => ({ partition, window })),
    read(slice, ...values) {
      if (slice === undefined) throw new Error('there is no such slice')
      cursor.observe(
        slice,
        values.map((u) => ({ u })),
      )
      cursor.close(slice)
      return cursor.state()
    },
  }
}
