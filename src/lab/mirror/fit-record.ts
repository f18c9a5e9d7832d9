/** A record of the schema → one that the stream's transformations can work on and its filter lets through. */
import type { Component } from '../../engine/manifest/manifest.ts'
import { sliceForTemplates } from '../../engine/slices/slice.ts'
import { now, start } from './calendar.ts'
import { asComponent, parametersOf, textIn } from './components.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { evaluate } from './evaluate.ts'
import { addedFields, recordReads, type TimeField } from './field-sources.ts'
import { absent, type Path, placed, valueAt } from './place.ts'
import { search } from './search.ts'
import { readsOf } from './template-reads.ts'

export type Fitting = {
  readonly selector: Component | null
  readonly transformations: readonly Component[]
  readonly config: Config
  readonly times: readonly TimeField[]
}

type Parameters = Readonly<Record<string, unknown>>

const middle = (start + now) / 2

export function fittedTo(fitting: Fitting, record: unknown): unknown {
  const timed = fitting.times.reduce((known, { path, write }) => placed(known, path, write(middle, 1)), record)
  const workable = addedFields(fitting.transformations).reduce(
    (known, { value, parameters }) => fitted(fitting, known, value, parameters, () => true),
    timed,
  )
  const { condition, parameters } = filterOf(fitting.selector)
  return condition === ''
    ? workable
    : fitted(fitting, workable, condition, parameters, (one) => passesFilter(fitting, one))
}

export function filterOf(selector: Component | null): { condition: string; parameters: Parameters } {
  const filter = asComponent(selector?.record_filter)
  return { condition: textIn(filter, 'condition'), parameters: filter === null ? {} : parametersOf(filter) }
}

/** A filter that cannot tell yet lets pass. */
export function passesFilter(fitting: Fitting, record: unknown): boolean {
  const { condition, parameters } = filterOf(fitting.selector)
  if (condition === '') return true
  try {
    return evaluate(condition, scopeOf(fitting, record, parameters), 'boolean') === true
  } catch {
    return false
  }
}

/** The record itself where nothing better is found: what happens then is for the report to say. */
function fitted(
  fitting: Fitting,
  record: unknown,
  template: string,
  parameters: Parameters,
  accepts: (record: unknown) => boolean,
): unknown {
  const { config } = fitting
  const leaves = recordReads(template, { config, parameters })
  if (leaves.length === 0) return record
  const { constants } = readsOf(template)
  const candidates = leaves.map((path) => candidatesFor(valueAt(record, path), constants, fitting))
  const made = (chosen: readonly unknown[]) =>
    chosen.reduce((known: unknown, value, index) => placed(known, leaves[index] as Path, value), record)
  const chosen = search(candidates, (tried) => {
    const candidate = made(tried)
    evaluate(template, scopeOf(fitting, candidate, parameters))
    return accepts(candidate)
  })
  return chosen === null ? record : made(chosen)
}

function candidatesFor(known: unknown, constants: readonly unknown[], { config, times }: Fitting): unknown[] {
  const moments = times.map(({ write }) => write(middle, 1))
  const given = Object.values(config).flatMap((value) =>
    typeof value === 'object' ? Object.values(value ?? {}) : [value],
  )
  const words = constants.map((value) => (typeof value === 'bigint' ? Number(value) : value))
  const texts = ['1', 'a,b', '2026-05-01T00:00:00Z', '2026-05-01']
  const holders = [...words.map((word) => [word]), [], [{}], {}, { a: {} }]
  const first = known === undefined ? 'some text' : known
  return [first, ...words, ...moments, true, 1, 1000, ...texts, ...holders, false, 0, null, absent, ...given]
}

function scopeOf({ config }: Fitting, record: unknown, parameters: Parameters): Record<string, unknown> {
  const window = { start_time: '', end_time: '' }
  const slice = sliceForTemplates({ partition: {}, window })
  return {
    config,
    parameters,
    record,
    stream_slice: slice,
    stream_partition: {},
    stream_interval: window,
    next_page_token: null,
  }
}
