/** One part of a stream, read page by page. */
import { AttributedDict } from '../template/host.ts'

export type Slice = {
  /** Values that name the part: `{ region: 'eu' }`. */
  readonly partition: Readonly<Record<string, unknown>>
  /** The window of time, as texts the API understands. */
  readonly window: Readonly<Record<string, unknown>>
  /** What a parent's record tells besides; templates see it, states do not. */
  readonly extra?: Readonly<Record<string, unknown>>
  /** The first page, where a parent's record holds it. */
  readonly firstPage?: unknown
}

/** The slice as templates see it: a mapping of both parts that also knows them apart. */
export function sliceForTemplates({ partition, window, extra = {} }: Slice): AttributedDict {
  return new AttributedDict({ ...partition, ...window }, { partition, cursor_slice: window, extra_fields: extra })
}
