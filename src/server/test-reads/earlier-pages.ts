/** The pages of a read that a limit ended → what is left of each slice, and how the pages of both reads count as one. */
import { holdsHidden } from '../../engine/auth/sign-request.ts'
import type { Page, SliceEnd } from '../../engine/pages/page.ts'
import { mayResume } from '../../engine/pages/read-slice.ts'
import type { OpenStream } from '../../engine/pages/stream.ts'
import type { PageToken } from '../../engine/request/page-token.ts'
import type { Slice } from '../../engine/slices/slice.ts'
import { ConnectorError } from '../../std/errors.ts'
import { stringifyJson } from '../../std/json.ts'
import type { Captures } from './captures.ts'

export type EarlierSlice = {
  readonly slice: Slice
  readonly pages: number
  /** The pages, part by part, as if no limit had ended them. */
  readonly parts: readonly Page[]
  /** What asks for the page after the last; null where the slice was read to its end. */
  readonly from: PageToken | null
  /** A page is larger than a test keeps: nothing continues after it. */
  readonly isCutShort: boolean
}

/** By the position of the slice. Throws `server/gone` where a page is no longer kept. */
export function earlierSlices(captures: Captures, id: string): ReadonlyMap<number, EarlierSlice> {
  const slices = new Map<number, EarlierSlice>()
  for (const { position, page } of captures.pages(id).pages) {
    if (page === null) throw new ConnectorError('server/gone', 'Earlier pages of the read are no longer kept.')
    const last = page.parts.at(-1)
    const isOpen = last === undefined || last.stop === null || last.stop === 'limit'
    const before = slices.get(position.slice)
    slices.set(position.slice, {
      slice: page.slice,
      pages: position.page + 1,
      parts: [...(before?.parts ?? []), ...page.parts.map(withoutLimit)],
      from: isOpen ? page.next : null,
      isCutShort: isOpen && page.next === null,
    })
  }
  return slices
}

export function canContinue(stream: OpenStream, slices: ReadonlyMap<number, EarlierSlice>): boolean {
  const { auth } = stream.plan.requester
  return [...slices.values()].every(
    ({ from, isCutShort }) => !isCutShort && (from === null || (mayResume(stream) && !holdsHidden(auth, from))),
  )
}

/**
 * The slice with the window that was read before: a window that ends now ends later by now.
 * Throws `server/gone` where it is another slice, since parents may have changed.
 */
export function sameSlice(slice: Slice, earlier: EarlierSlice | undefined): Slice {
  if (earlier === undefined) return slice
  if (stringifyJson(slice.partition) !== stringifyJson(earlier.slice.partition)) {
    throw new ConnectorError('server/gone', 'The slices of the stream are not those of the earlier read.')
  }
  return { ...slice, window: earlier.slice.window }
}

function withoutLimit(part: Page): Page {
  if (part.stop !== 'limit') return part
  const { receipt: _ofLimit, ...others } = part
  return { ...others, stop: null }
}

/** A page of a resumed slice, numbered and counted with those before it. */
export function countedAfter(part: Page, earlier: EarlierSlice | undefined): Page {
  if (earlier === undefined || earlier.from === null) return part
  const { receipt, ...others } = part
  const page = { ...others, index: part.index + earlier.pages }
  return receipt === undefined ? page : { ...page, receipt: sumOf(receipt, earlier) }
}

function sumOf(end: SliceEnd, { pages, parts }: EarlierSlice): SliceEnd {
  return {
    ...end,
    pages: end.pages + pages,
    received: parts.reduce((sum, { receivedCount }) => sum + receivedCount, end.received),
    emitted: parts.reduce((sum, { records }) => sum + records.length, end.emitted),
  }
}
