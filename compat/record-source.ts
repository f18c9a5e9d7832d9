/** What is known of a stream → records of it: they fit its schema, pass its filter, and no two are alike. */
import type { Component } from '../src/engine/manifest/manifest.ts'
import { asComponent, componentsAt, parametersOf, textIn } from './components.ts'
import type { Config } from './config.ts'
import { type Cursor, cursorOf } from './cursor.ts'
import { addedFields, leavesOf, recordReads, sourcesOf, timesOf } from './field-sources.ts'
import { fittedTo } from './fit-record.ts'
import { placed } from './place.ts'
import { typeIn, valueFor } from './schema-values.ts'
import { type Path, valueAt } from './template-reads.ts'

export type RecordSource = {
  readonly cursor: Cursor | null
  /** A record: the `serial`th of its stream, from this moment. Only the first ones of a page have every field. */
  readonly record: (serial: number, at: number, isWhole: boolean) => Record<string, unknown>
}

export type Described = {
  readonly stream: Component | null
  readonly selector: Component | null
  /** Fields that somebody else reads: a child its parent's key, a resolver its components. */
  readonly needs: readonly Path[]
  readonly config: Config
  readonly base?: unknown
  readonly keysAreTexts: boolean
}

export function recordSource(described: Described): RecordSource {
  const { stream, selector, needs, config, base, keysAreTexts } = described
  const schema = schemaOf(stream)
  const cursor = cursorOf(stream, config)
  const transformations = [stream?.transformations, selector?.transformations].flatMap(componentsAt)
  const keys = leavesOf(
    [...primaryKeyOf(stream), ...needs].flatMap((key) => [key, ...sourcesOf(key, transformations, config)]),
  )
  const times = cursor === null ? [] : timesOf(cursor, transformations, config)
  const sample = fittedTo({ selector, transformations, config, times }, base ?? valueFor(schema) ?? {})
  const slim = base ?? neededOf(sample, selector, transformations, config)
  return {
    cursor,
    record(serial, at, isWhole) {
      // A record without a key of its own still differs from the others, and is not empty.
      const numbered = placed(isWhole ? sample : slim, ['leaf'], serial)
      const keyed = keys.reduce(
        (record, path) => placed(record, path, keyFor(path, schema, serial, keysAreTexts)),
        numbered,
      )
      const timed = times.reduce(
        (record, { path, write }) => placed(record, path, fitType(schema, path, write(at, serial))),
        keyed,
      )
      return timed as Record<string, unknown>
    },
  }
}

/** What filters and transformations look at must be there in every record. */
function neededOf(
  sample: unknown,
  selector: Component | null,
  transformations: readonly Component[],
  config: Config,
): unknown {
  const filter = asComponent(selector?.record_filter)
  const templates = [
    { value: textIn(filter, 'condition'), parameters: filter === null ? {} : parametersOf(filter) },
    ...addedFields(transformations),
  ]
  const paths = templates.flatMap(({ value, parameters }) => recordReads(value, { config, parameters }))
  return paths.reduce((record: unknown, path) => placed(record, path, valueAt(sample, path)), {})
}

function keyFor(path: Path, schema: unknown, serial: number, isText: boolean): string | number {
  return isText || typeIn(memberAt(schema, path)) === 'string' ? `k${serial}` : serial
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
