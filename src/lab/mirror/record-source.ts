/** What is known of a stream → records of it: they fit its schema, pass its filter, and no two are alike. */
import type { Component } from '../../engine/manifest/manifest.ts'
import { componentsAt } from './components.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { type Cursor, cursorOf } from './cursor.ts'
import { addedFields, leavesOf, recordReads, sourcesOf, timesOf } from './field-sources.ts'
import { filterOf, type Fitting, fittedTo, passesFilter } from './fit-record.ts'
import { type Path, placed, valueAt } from './place.ts'
import { typeIn, valueFor } from './schema-values.ts'

export type RecordSource = {
  readonly cursor: Cursor | null
  /** A record: the `serial`th of its stream, from this moment. Only the first ones of a page have every field. */
  readonly record: (serial: number, at: number, isWhole: boolean) => Record<string, unknown>
}

/** A field that must be there; with this value, if one is given. */
export type Extra = { readonly path: Path; readonly value?: unknown }

export type Described = {
  readonly stream: Component | null
  readonly selector: Component | null
  /** Fields that tell records apart, for whoever reads them: a child its parent's key, a resolver its components. */
  readonly needs: readonly Path[]
  readonly extras: readonly Extra[]
  readonly config: Config
  readonly base?: unknown
  readonly keysAreTexts: boolean
}

export function recordSource(described: Described): RecordSource {
  const { stream, selector, config, keysAreTexts } = described
  const schema = schemaOf(stream)
  const cursor = cursorOf(stream, config)
  const transformations = [stream?.transformations, selector?.transformations].flatMap(componentsAt)
  const times = cursor === null ? [] : timesOf(cursor, transformations, config)
  const fitting = { selector, transformations, config, times }
  const sample = withExtras(fittedTo(fitting, described.base ?? valueFor(schema) ?? {}), described.extras)
  const slim = described.base ?? neededOf(sample, fitting, described.extras)
  const withKeys = (record: unknown, paths: readonly Path[], serial: number) =>
    paths.reduce((known, path) => placed(known, path, keyFor(path, schema, serial, keysAreTexts)), record)

  const wanted = [...primaryKeyOf(stream), ...described.needs]
  const made = leavesOf(wanted.flatMap((key) => [key, ...sourcesOf(key, transformations, config)]))
  // A key that the filter wants to be something stays what it wants.
  const keys = passesFilter(fitting, withKeys(sample, made, 1)) ? made : made.filter((key) => !isFiltered(key, fitting))
  return {
    cursor,
    record(serial, at, isWhole) {
      // A record without a key of its own still differs from the others, and is not empty.
      const numbered = placed(isWhole ? sample : slim, ['leaf'], serial)
      const timed = times.reduce(
        (record, { path, write }) => placed(record, path, fitType(schema, path, write(at, serial))),
        withKeys(numbered, keys, serial),
      )
      return timed as Record<string, unknown>
    },
  }
}

function isFiltered(key: Path, { selector, config }: Fitting): boolean {
  const { condition, parameters } = filterOf(selector)
  return recordReads(condition, { config, parameters }).some((path) => JSON.stringify(path) === JSON.stringify(key))
}

function withExtras(record: unknown, extras: readonly Extra[]): unknown {
  return extras.reduce((known, { path, value }) => {
    const usual = valueAt(known, path) ?? valueFor({ type: 'string' }, String(path.at(-1)))
    return placed(known, path, value ?? usual)
  }, record)
}

/** What filters and transformations look at must be there in every record, and what children take along. */
function neededOf(sample: unknown, { selector, transformations, config }: Fitting, extras: readonly Extra[]): unknown {
  const { condition, parameters } = filterOf(selector)
  const templates = [{ value: condition, parameters }, ...addedFields(transformations)]
  const read = templates.flatMap((one) => recordReads(one.value, { config, parameters: one.parameters }))
  const paths = [...read, ...extras.map(({ path }) => path)]
  return paths.reduce((record: unknown, path) => placed(record, path, valueAt(sample, path)), {})
}

function keyFor(path: Path, schema: unknown, serial: number, isText: boolean): string | number {
  if (!isText && typeIn(memberAt(schema, path)) !== 'string') return serial
  // Templates take the last part of an address for its id.
  return /(?:ur[il]|href|self|link)$/i.test(String(path.at(-1)))
    ? `https://acme.example.com/a/k${serial}`
    : `k${serial}`
}

/** Numbers that a schema calls numbers are sent as such. */
function fitType(schema: unknown, path: Path, value: string | number): string | number {
  const isNumeric = ['integer', 'number'].includes(String(typeIn(memberAt(schema, path))))
  return isNumeric && /^\d+(?:\.\d+)?$/.test(String(value)) ? Number(value) : value
}

function memberAt(schema: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (holder, key) => valueAt(holder, typeof key === 'number' ? ['items'] : ['properties', key]),
    schema,
  )
}

function schemaOf(stream: Component | null): unknown {
  return componentsAt(stream?.schema_loader).find(({ type }) => type === 'InlineSchemaLoader')?.schema
}

function primaryKeyOf(stream: Component | null): Path[] {
  const key = stream?.primary_key as string | readonly (string | readonly string[])[] | undefined | null
  if (key === undefined || key === null || key === '') return []
  return typeof key === 'string' ? [[key]] : key.map((part) => (typeof part === 'string' ? [part] : part))
}
