/** What is known of a stream → records of it: they fit its schema, pass its filter, and no two are alike. */
import type { Component } from '../../engine/manifest/manifest.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { sliceForTemplates } from '../../engine/slices/slice.ts'
import { isObject } from '../../std/values/objects.ts'
import { dateText, now, start } from './calendar.ts'
import { asComponent, componentsAt, textField } from './find-components.ts'
import { type Cursor, cursorOf } from './cursor.ts'
import { evaluateAtFixedTime } from './evaluate-at-fixed-time.ts'
import { addedFields, leavesOf, recordReads, sourcesOf, type TimeField, timesOf } from './field-sources.ts'
import { absent, type MirrorPath, putValue } from './put-value.ts'
import { valueAt } from '../../std/values/get-at.ts'
import { parametersOf } from '../../engine/plan/read-fields.ts'
import { findCombination } from './find-combination.ts'
import { readsOf } from './template-reads.ts'

export type RecordSource = {
  readonly cursor: Cursor | null
  /** A record: the `serial`th of its stream, from this moment. Only the first ones of a page have every field. */
  readonly record: (serial: number, at: number, isWhole: boolean) => Record<string, unknown>
}

/** A field that must be there; with this value, if one is given. */
export type Extra = { readonly path: MirrorPath; readonly value?: unknown }

export type Described = {
  readonly stream: Component | null
  readonly selector: Component | null
  /** Fields that must be distinct: a parent's key for its child, a resolver's components. */
  readonly needs: readonly MirrorPath[]
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
  const withKeys = (record: unknown, paths: readonly MirrorPath[], serial: number) =>
    paths.reduce((known, path) => putValue(known, path, keyFor(path, schema, serial, keysAreTexts)), record)

  const wanted = [...primaryKeyOf(stream), ...described.needs]
  const made = leavesOf(wanted.flatMap((key) => [key, ...sourcesOf(key, transformations, config)]))
  // A key that the filter wants to be something stays what it wants.
  const keys = passesFilter(fitting, withKeys(sample, made, 1)) ? made : made.filter((key) => !isFiltered(key, fitting))
  return {
    cursor,
    record(serial, at, isWhole) {
      // A record without a key of its own still differs from the others, and is not empty.
      const numbered = putValue(isWhole ? sample : slim, ['leaf'], serial)
      const timed = times.reduce(
        (record, { path, write }) => putValue(record, path, fitType(schema, path, write(at, serial))),
        withKeys(numbered, keys, serial),
      )
      return timed as Record<string, unknown>
    },
  }
}

function isFiltered(key: MirrorPath, { selector, config }: Fitting): boolean {
  const { condition, parameters } = filterOf(selector)
  return recordReads(condition, { config, parameters }).some((path) => JSON.stringify(path) === JSON.stringify(key))
}

function withExtras(record: unknown, extras: readonly Extra[]): unknown {
  return extras.reduce((known, { path, value }) => {
    const usual = valueAt(known, path) ?? valueFor({ type: 'string' }, String(path.at(-1)))
    return putValue(known, path, value ?? usual)
  }, record)
}

/** Every record must have what filters and transformations read, and what child streams use. */
function neededOf(sample: unknown, { selector, transformations, config }: Fitting, extras: readonly Extra[]): unknown {
  const { condition, parameters } = filterOf(selector)
  const templates = [{ value: condition, parameters }, ...addedFields(transformations)]
  const read = templates.flatMap((one) => recordReads(one.value, { config, parameters: one.parameters }))
  const paths = [...read, ...extras.map(({ path }) => path)]
  return paths.reduce((record: unknown, path) => putValue(record, path, valueAt(sample, path)), {})
}

function keyFor(path: MirrorPath, schema: unknown, serial: number, isText: boolean): string | number {
  if (!isText && typeIn(memberAt(schema, path)) !== 'string') return serial
  // Templates take the last part of an address for its id.
  return /(?:ur[il]|href|self|link)$/i.test(String(path.at(-1)))
    ? `https://acme.example.com/a/k${serial}`
    : `k${serial}`
}

/** Numbers that a schema calls numbers are sent as such. */
function fitType(schema: unknown, path: MirrorPath, value: string | number): string | number {
  const isNumeric = ['integer', 'number'].includes(String(typeIn(memberAt(schema, path))))
  return isNumeric && /^\d+(?:\.\d+)?$/.test(String(value)) ? Number(value) : value
}

function memberAt(schema: unknown, path: MirrorPath): unknown {
  return path.reduce<unknown>(
    (holder, key) => valueAt(holder, typeof key === 'number' ? ['items'] : ['properties', key]),
    schema,
  )
}

function schemaOf(stream: Component | null): unknown {
  return componentsAt(stream?.schema_loader).find(({ type }) => type === 'InlineSchemaLoader')?.schema
}

function primaryKeyOf(stream: Component | null): MirrorPath[] {
  const key = stream?.primary_key as string | readonly (string | readonly string[])[] | undefined | null
  if (key === undefined || key === null || key === '') return []
  return typeof key === 'string' ? [[key]] : key.map((part) => (typeof part === 'string' ? [part] : part))
}

const maxDepth = 3

/** Undefined where the schema leaves everything open. */
function valueFor(schema: unknown, name = '', depth = 0): unknown {
  if (!isObject(schema)) return undefined
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum.find((value) => value !== null)
  const branch = [schema.oneOf, schema.anyOf].flat().find((one) => isObject(one) && one.type !== 'null')
  if (branch !== undefined) return valueFor(branch, name, depth)
  switch (typeIn(schema)) {
    case 'object':
      return objectFor(schema, depth)
    case 'array':
      return depth >= maxDepth ? [] : [valueFor(schema.items, name, depth + 1)].filter((item) => item !== undefined)
    case 'integer':
      return 7
    case 'number':
      return 7.5
    case 'boolean':
      return true
    case 'string':
      return textFor(schema, name)
    default:
      return undefined
  }
}

function objectFor(schema: Record<string, unknown>, depth: number): Record<string, unknown> {
  if (depth >= maxDepth || !isObject(schema.properties)) return {}
  const members = Object.entries(schema.properties).map(
    ([name, member]) => [name, valueFor(member, name, depth + 1)] as const,
  )
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

function textFor({ format }: Record<string, unknown>, name: string): string {
  const isMoment = /(?:_at|_on|date|time|timestamp)$/i.test(name)
  if (/time_?zone/i.test(name)) return 'UTC'
  if (format === 'date') return dateText(now, '%Y-%m-%d')
  if (format === 'date-time' || isMoment) return dateText(now, '%Y-%m-%dT%H:%M:%SZ')
  return format === 'uri' || /url$/i.test(name) ? 'https://acme.example.com/a' : `some ${name || 'text'}`
}

function typeIn(schema: unknown): unknown {
  if (!isObject(schema)) return undefined
  const { type } = schema
  return Array.isArray(type) ? type.find((one) => one !== 'null') : type
}

export type Fitting = {
  readonly selector: Component | null
  readonly transformations: readonly Component[]
  readonly config: Config
  readonly times: readonly TimeField[]
}

type Parameters = Readonly<Record<string, unknown>>

const middle = (start + now) / 2

function fittedTo(fitting: Fitting, record: unknown): unknown {
  const timed = fitting.times.reduce((known, { path, write }) => putValue(known, path, write(middle, 1)), record)
  const workable = addedFields(fitting.transformations).reduce(
    (known, { value, parameters }) => fitted(fitting, known, value, parameters, () => true),
    timed,
  )
  const { condition, parameters } = filterOf(fitting.selector)
  return condition === ''
    ? workable
    : fitted(fitting, workable, condition, parameters, (one) => passesFilter(fitting, one))
}

function filterOf(selector: Component | null): { condition: string; parameters: Parameters } {
  const filter = asComponent(selector?.record_filter)
  return { condition: textField(filter, 'condition'), parameters: filter === null ? {} : parametersOf(filter) }
}

/** A filter that cannot be evaluated yet lets the record pass. */
function passesFilter(fitting: Fitting, record: unknown): boolean {
  const { condition, parameters } = filterOf(fitting.selector)
  if (condition === '') return true
  try {
    return evaluateAtFixedTime(condition, scopeOf(fitting, record, parameters), 'boolean') === true
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
    chosen.reduce((known: unknown, value, index) => putValue(known, leaves[index] as MirrorPath, value), record)
  const chosen = findCombination(candidates, (tried) => {
    const candidate = made(tried)
    evaluateAtFixedTime(template, scopeOf(fitting, candidate, parameters))
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
