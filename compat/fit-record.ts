/** A record of the schema → one that the stream's transformations can work on and its filter lets through. */
import type { Component } from '../src/engine/manifest/manifest.ts'
import { sliceForTemplates } from '../src/engine/slices/slice.ts'
import { now, start } from './calendar.ts'
import { componentsIn, parametersOf } from './components.ts'
import type { Config } from './config.ts'
import type { Cursor } from './cursor.ts'
import { evaluate } from './evaluate.ts'
import { absent, placed } from './place.ts'
import { search } from './search.ts'
import { type Path, readsOf, valueAt } from './template-reads.ts'

type Fitting = {
  readonly selector: Component | null
  readonly transformations: readonly Component[]
  readonly config: Config
  readonly cursor: Cursor | null
  readonly times: readonly Path[]
}

export function fittedTo(fitting: Fitting, record: unknown): unknown {
  const { cursor, times, transformations, selector } = fitting
  const middle = (start + now) / 2
  const timed = times.reduce((known, path) => placed(known, path, cursor?.valueAt(middle, 1)), record)
  const changed = transformations
    .flatMap((transformation) =>
      componentsIn(transformation).map((component) => ({
        ...component,
        $parameters: { ...parametersOf(transformation), ...parametersOf(component) },
      })),
    )
    .filter(({ type }) => type === 'AddedFieldDefinition')
    .reduce((known, field) => fitted(fitting, known, String(field.value), field, () => true), timed)
  const filter = selector?.record_filter as Component | undefined
  if (typeof filter?.condition !== 'string') return changed
  const passes = (candidate: unknown) =>
    evaluate(filter.condition as string, scopeOf(fitting, candidate, filter), 'boolean') === true
  return fitted(fitting, changed, filter.condition, filter, passes)
}

/** The record itself where nothing better is found: what happens then is for the report to say. */
function fitted(
  fitting: Fitting,
  record: unknown,
  template: string,
  component: Component,
  accepts: (record: unknown) => boolean,
): unknown {
  const { reads, constants } = readsOf(template, { config: fitting.config, parameters: parametersOf(component) })
  const leaves = leavesOf(
    reads.filter(({ root, path }) => root === 'record' && path.length > 0).map(({ path }) => path),
  )
  if (leaves.length === 0) return record
  const candidates = leaves.map((path) => candidatesFor(valueAt(record, path), constants, fitting))
  const made = (chosen: readonly unknown[]) =>
    chosen.reduce((known: unknown, value, index) => placed(known, leaves[index] as Path, value), record)
  const chosen = search(candidates, (values) => {
    const candidate = made(values)
    evaluate(template, scopeOf(fitting, candidate, component))
    return accepts(candidate)
  })
  return chosen === null ? record : made(chosen)
}

function candidatesFor(known: unknown, constants: readonly unknown[], { config, cursor }: Fitting): unknown[] {
  const moment = cursor === null ? [] : [cursor.valueAt((start + now) / 2, 1)]
  const given = Object.values(config).flatMap((value) =>
    typeof value === 'object' ? Object.values(value ?? {}) : [value],
  )
  const first = known === undefined ? 'some text' : known
  const words = constants.map((value) => (typeof value === 'bigint' ? Number(value) : value))
  return [
    first,
    ...words,
    ...moment,
    true,
    1,
    1000,
    '1',
    'a,b',
    '2026-05-01T00:00:00Z',
    '2026-05-01',
    ...words.map((word) => [word]),
    [],
    [{}],
    {},
    { a: {} },
    false,
    0,
    null,
    absent,
    ...given,
  ]
}

function scopeOf({ config }: Fitting, record: unknown, component: Component): Record<string, unknown> {
  const slice = sliceForTemplates({ partition: {}, window: { start_time: '', end_time: '' } })
  return {
    config,
    parameters: parametersOf(component),
    record,
    stream_slice: slice,
    stream_partition: {},
    stream_interval: { start_time: '', end_time: '' },
    next_page_token: null,
  }
}

/** Paths that lead to a value; those that only lead on to others go with them. */
export function leavesOf(paths: readonly Path[]): Path[] {
  const unique = [...new Map(paths.map((path) => [JSON.stringify(path), path])).values()]
  return unique.filter(
    (path) => !unique.some((other) => other.length > path.length && path.every((key, index) => other[index] === key)),
  )
}
