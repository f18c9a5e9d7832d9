/** What is known of a stream → records of it: they fit its schema, pass its filter, and no two are alike. */
import type { Component } from '../src/engine/manifest/manifest.ts'
import { asComponent, componentsAt, componentsIn, parametersOf, textIn } from './components.ts'
import type { Config } from './config.ts'
import { type Cursor, cursorOf } from './cursor.ts'
import { fittedTo } from './fit-record.ts'
import { placed } from './place.ts'
import { typeIn, valueFor } from './schema-values.ts'
import { type Path, readsOf, valueAt } from './template-reads.ts'

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
}

export function recordSource({ stream, selector, needs, config }: Described): RecordSource {
  const schema = schemaOf(stream)
  const cursor = cursorOf(stream, config)
  const transformations = [...componentsAt(stream?.transformations), ...componentsAt(selector?.transformations)]
  const madeFrom = (path: Path) => [path, ...sourcesOf(path, transformations, config)]
  const keys = [...primaryKeyOf(stream), ...needs].flatMap(madeFrom)
  const times = cursor === null ? [] : madeFrom([cursor.field])
  const sample = fittedTo({ selector, transformations, config, cursor, times }, valueFor(schema) ?? {})
  const slim = [...keys, ...times].reduce(
    (record: unknown, path) => placed(record, path, valueAt(sample, path)),
    slimOf(sample, selector),
  )
  return {
    cursor,
    record(serial, at, isWhole) {
      const keyed = keys.reduce(
        (record, path) => placed(record, path, keyFor(path, schema, serial)),
        isWhole ? sample : slim,
      )
      const timed = times.reduce(
        (record, path) => placed(record, path, timeFor(cursor as Cursor, path, schema, at, serial)),
        keyed,
      )
      return timed as Record<string, unknown>
    },
  }
}

/** A field that a transformation makes is as good as what it is made from. */
function sourcesOf([name, ...rest]: Path, transformations: readonly Component[], config: Config): Path[] {
  if (rest.length > 0) return []
  return transformations.flatMap((transformation) => {
    const parameters = parametersOf(transformation)
    if (transformation.type === 'DpathFlattenFields')
      return [[...(transformation.field_path as string[]).map((key) => (key === '*' ? 'any' : key)), name as string]]
    return componentsIn(transformation)
      .filter(
        ({ type, path }) =>
          type === 'AddedFieldDefinition' && Array.isArray(path) && path.length === 1 && path[0] === name,
      )
      .flatMap(({ value }) => readsOf(String(value), { config, parameters }).reads)
      .filter(({ root, path }) => root === 'record' && path.length > 0)
      .map(({ path }) => path)
  })
}

/** What filters look at must be there in every record. */
function slimOf(sample: unknown, selector: Component | null): unknown {
  const { reads } = readsOf(textIn(asComponent(selector?.record_filter), 'condition'))
  return reads
    .filter(({ root, path }) => root === 'record' && path.length > 0)
    .reduce((record: unknown, { path }) => placed(record, path, valueAt(sample, path)), {})
}

function keyFor(path: Path, schema: unknown, serial: number): string | number {
  return typeIn(memberAt(schema, path)) === 'string' ? `k${serial}` : serial
}

function timeFor(cursor: Cursor, path: Path, schema: unknown, at: number, serial: number): string | number {
  const value = cursor.valueAt(at, serial)
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
