/** Partitions × windows → the slices of a stream, in order, with the values each one sends. */
import type { Placement } from '../plan/plan.ts'
import type { SlicingPlan, RouterPlan } from '../plan/slicing.ts'
import type { RoutedPart } from './partitions.ts'
import type { Slice } from './slice.ts'
import type { StreamCursor } from './stream-cursor.ts'

export async function* slicesOf(partitions: AsyncIterable<RoutedPart>, cursor: StreamCursor): AsyncGenerator<Slice> {
  for await (const { values: partition, extra, firstPage } of partitions) {
    for (const window of cursor.windowsOf(partition)) {
      yield { partition, window, extra, ...(firstPage !== undefined && { firstPage }) }
    }
  }
}

type SliceOption = {
  readonly source: 'slice options'
  readonly placement: Placement
  readonly value: unknown
}

/** What the slice itself puts into each request. */
export function sliceOptions({ routers, cursor }: SlicingPlan, slice: Slice): SliceOption[] {
  const options = new Map<string, SliceOption>()
  const put = (placement: Placement | null, value: unknown) => {
    if (placement !== null) options.set(JSON.stringify(placement), { source: 'slice options', placement, value })
  }
  // Airbyte: of two routers that write the same place the first wins, of two parents of one router the last.
  for (const { placement, field } of routers.toReversed().flatMap(sentBy)) {
    // Airbyte: empty partition values are not sent.
    if (slice.partition[field]) put(placement, slice.partition[field])
  }
  if (cursor !== null) {
    // Airbyte: where a router and a cursor write the same place, the cursor wins.
    put(cursor.startPlacement, slice.window[cursor.startField] ?? null)
    put(cursor.endPlacement, slice.window[cursor.endField] ?? null)
  }
  return [...options.values()]
}

type Sent = { readonly placement: Placement | null; readonly field: string }

/** Templates take the values of groups and unions from the slice. */
function sentBy(router: RouterPlan): readonly Sent[] {
  switch (router.kind) {
    case 'list':
      return [router]
    case 'parents':
    case 'custom':
      return router.parents
    case 'group':
    case 'union':
      return []
  }
}
