/** One part of a stream, read page by page. */
import { AttributedDict } from '../template/host.ts'

/** Values that name a part of the stream: `{ region: 'eu' }`. */
export type Partition = Readonly<Record<string, unknown>>

/** The bounds of a slice, as the API understands them: `{ start_time: '2024-01-01', end_time: '2024-01-31' }`. */
export type Window = Readonly<Record<string, unknown>>

export type Slice = {
  readonly partition: Partition
  readonly window: Window
  /** Extra fields of a parent's record; templates see them, states do not. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** The first page, where a parent's record holds it. */
  readonly firstPage?: unknown
}

/** Whether a parent's record made it: its values are then what an API said. */
export function isOfParent({ partition, extra = {} }: Slice): boolean {
  return 'parent_slice' in partition || 'parent_slice' in extra
}

/** The slice as templates see it: a mapping of both parts that also knows them apart. */
export function sliceForTemplates({ partition, window, extra = {} }: Slice): AttributedDict {
  return new AttributedDict({ ...partition, ...window }, { partition, cursor_slice: window, extra_fields: extra })
}
