/** Plan + config → the slices of a stream, in order, with the values each one sends. */
import { ConnectorError } from '../../errors.ts'
import type { Config, ListPlan, Placement, SlicingPlan } from '../plan/plan.ts'
import { describeValue } from '../template/text.ts'
import type { StreamCursor } from './cursor.ts'
import type { Slice } from './slice.ts'

/** Lists × windows: the first list changes slowest. Without either, the stream is one slice. */
export function* slicesOf({ routers }: SlicingPlan, cursor: StreamCursor, config: Config): Generator<Slice> {
  for (const partition of partitionsOf(routers, config)) {
    for (const window of cursor.windowsOf(partition)) yield { partition, window }
  }
}

function* partitionsOf(lists: readonly ListPlan[], config: Config): Generator<Record<string, unknown>> {
  const [list, ...others] = lists
  if (list === undefined) {
    yield {}
    return
  }
  for (const value of valuesOf(list, config)) {
    // Airbyte: of two routers with one field name, the first wins.
    for (const rest of partitionsOf(others, config)) yield { ...rest, [list.field]: value }
  }
}

function valuesOf({ values, parameters, at }: ListPlan, config: Config): Iterable<unknown> {
  if (!('evaluate' in values)) return values
  const list = values.evaluate({ config, parameters })
  if (typeof list === 'object' && list !== null && Symbol.iterator in list) return list as Iterable<unknown>
  throw new ConnectorError('slices/invalid-values', `\`${values.source}\` gives ${describeValue(list)}, not a list.`, {
    at,
  })
}

export type SliceOption = {
  readonly source: 'slice options'
  readonly placement: Placement
  readonly value: unknown
}

/** What the slice itself puts into each request. Airbyte: empty partition values are not sent. */
export function sliceOptions(plan: SlicingPlan, slice: Slice): SliceOption[] {
  const options = new Map<string, SliceOption>()
  const put = (placement: Placement | null, value: unknown) => {
    if (placement !== null) options.set(JSON.stringify(placement), { source: 'slice options', placement, value })
  }
  for (const { placement, field } of plan.routers.toReversed())
    if (slice.partition[field]) put(placement, slice.partition[field])
  const { cursor } = plan
  if (cursor !== null) {
    // Airbyte: where a router and a cursor write the same place, the cursor wins.
    put(cursor.startPlacement, slice.window[cursor.startField] ?? null)
    put(cursor.endPlacement, slice.window[cursor.endField] ?? null)
  }
  return [...options.values()]
}
