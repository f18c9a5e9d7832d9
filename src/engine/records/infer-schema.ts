/** Sample records → the JSON Schema that fits them all, as Airbyte infers it. */
import { setMember } from '../../std/values/set-member.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import type { JsonRecord, JsonSchema } from '../plan/plan.ts'
import { parseDateOrNull } from '../template/dates/airbyte-format.ts'

export type InferOptions = {
  /** Paths of names. What they lead to is in every record, and never null. */
  readonly required?: readonly (readonly string[])[]
  /** How many members are distinguished; the rest is left out. */
  readonly maxMembers?: number
}

export type Inferring = {
  add(record: JsonRecord): void
  /** Null before the first record. */
  schema(): JsonSchema | null
  /** Top-level fields that are dates in every record, with their format. */
  formats(): Record<string, string>
  /** The required paths that the records do not have. */
  missing(): readonly (readonly string[])[]
}

/**
 * Sees records one by one; memory depends on the number of fields, not of records.
 *
 * @example
 * const inferring = inferSchema({ required: [['id']] })
 * for (const record of records) inferring.add(record)
 * inferring.schema() // { $schema: …, type: 'object', properties: { id: { type: 'number' } }, required: ['id'] }
 */
export function inferSchema({ required = [], maxMembers = 20_000 }: InferOptions = {}): Inferring {
  const shape = emptyShape()
  const room = { members: maxMembers }
  const dates = inferFormats()
  return {
    add(record) {
      widen(shape, record, room)
      dates.add(record)
    },
    schema() {
      if (isUnseen(shape)) return null
      const schema = { $schema: 'http://json-schema.org/schema#', ...nullable(shape), type: 'object' }
      for (const path of required) markRequired(schema, path)
      return schema
    },
    formats: () => dates.formats(),
    missing: () => (isUnseen(shape) ? [] : required.filter((path) => !markRequired({ ...nullable(shape) }, path))),
  }
}

type Schema = Record<string, unknown>

/** What is seen may be null in the next record, so everything may; of places that were always null nothing is known. */
function nullable(shape: Shape): Schema {
  const { types, structures } = partsOf(shape)
  const isOneStructure = structures.length === 1 && types.every((type) => type === 'null')
  if (isOneStructure)
    return { ...structureOf(shape, structures[0] as 'object', nullable), type: [structures[0], 'null'] }
  // Airbyte: alternatives are left as they are, nulls that are missing or alone included.
  if (structures.length > 0) return exact(shape)
  const others = types.filter((type) => type !== 'null')
  return { type: others.length === 0 ? 'null' : [...others, 'null'] }
}

/** What was seen, and nothing more. */
function exact(shape: Shape): Schema {
  const { types, structures } = partsOf(shape)
  const plain = types.length === 0 ? [] : [{ type: types.length === 1 ? types[0] : types }]
  const all = [...plain, ...structures.map((kind) => structureOf(shape, kind, exact))]
  return all.length === 1 ? (all[0] as Schema) : { anyOf: all }
}

/** Objects and lists that were always empty are types like those of scalars. */
function partsOf({ scalars, members, items, structures }: Shape) {
  const isEmpty = (kind: 'object' | 'array') =>
    kind === 'object' ? members?.size === 0 : items !== null && isUnseen(items)
  return {
    types: [...scalars, ...structures.filter(isEmpty)].toSorted(),
    structures: structures.filter((kind) => !isEmpty(kind)),
  }
}

function structureOf({ members, items }: Shape, kind: 'object' | 'array', inner: (shape: Shape) => Schema): Schema {
  if (kind === 'array') return { type: kind, items: inner(items as Shape) }
  const properties: Schema = {}
  for (const [name, member] of members ?? []) {
    if (inner === nullable && isNullOnly(member)) continue
    setMember(properties, name, inner(member))
  }
  return { type: kind, properties }
}

function isNullOnly({ scalars, structures }: Shape): boolean {
  return structures.length === 0 && scalars.size === 1 && scalars.has('null')
}

/** Marks every step of the path as required; false where the path leads nowhere. The schema is our own, so it may change. */
function markRequired(schema: Schema, path: readonly string[]): boolean {
  removeNull(schema)
  const [name, ...rest] = path
  if (name === undefined) return true
  const { properties, type } = schema
  if (type !== 'object' || !isObject(properties) || !Object.hasOwn(properties, name)) return false
  const required = (schema.required as string[] | undefined) ?? []
  schema.required = required.includes(name) ? required : [...required, name]
  return markRequired(properties[name] as Schema, rest)
}

function removeNull(schema: Schema): void {
  if (!Array.isArray(schema.type)) return
  const types = schema.type.filter((type) => type !== 'null')
  schema.type = types.length === 1 ? types[0] : types
}

/** The first that fits counts. */
const formats = [
  '%Y-%m-%d',
  '%Y-%m-%d %H:%M:%S',
  '%Y-%m-%dT%H:%M:%SZ',
  '%Y-%m-%dT%H:%M:%S.%fZ',
  '%Y-%m-%d %H:%M:%S.%f%z',
  '%Y-%m-%dT%H:%M:%S.%f%z',
  '%s',
  '%ms',
  '%d/%m/%Y %H:%M',
  '%Y-%m',
  '%d-%m-%Y',
] as const

/** No date in any of the formats is longer; most other strings are. */
const longest = 64

type InferringFormats = { add(record: JsonRecord): void; formats(): Record<string, string> }

/** Airbyte: the first record names the candidates, and every later one must confirm them. */
function inferFormats(): InferringFormats {
  let candidates: Map<string, string> | null = null
  return {
    add(record) {
      if (candidates === null) {
        candidates = candidatesIn(record)
        return
      }
      for (const [name, format] of candidates) {
        if (!Object.hasOwn(record, name) || !isDate(record[name], format)) candidates.delete(name)
      }
    },
    formats: () => Object.fromEntries(candidates ?? []),
  }
}

function candidatesIn(record: JsonRecord): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(record)) {
    const format = formats.find((one) => isDate(value, one))
    if (format !== undefined) found.set(name, format)
  }
  return found
}

function isDate(value: unknown, format: string): boolean {
  if (!mayBeDate(value)) return false
  try {
    return parseDateOrNull(value, format) !== null
  } catch {
    return false
  }
}

/** Whole numbers count as dates of 2001 to 2033 only, in seconds or milliseconds; others are ids and amounts. */
function mayBeDate(value: unknown): value is string | number {
  if (typeof value === 'string') {
    if (value.length > longest) return false
    return /^\s*[+-]?\d+(_\d+)*\s*$/.test(value) ? isRecent(Number(value.replaceAll('_', ''))) : true
  }
  return typeof value === 'number' && Number.isInteger(value) && isRecent(value)
}

function isRecent(count: number): boolean {
  return (count >= 1e9 && count < 2e9) || (count >= 1e12 && count < 2e12)
}

type Scalar = 'null' | 'boolean' | 'string' | 'number'

/** What was seen at one place. Objects and lists stay apart: a place may hold both. */
type Shape = {
  readonly scalars: Set<Scalar>
  members: Map<string, Shape> | null
  items: Shape | null
  /** Objects and lists, in the order in which the first of each came. */
  readonly structures: ('object' | 'array')[]
}

/** How many members there may still be in all; a record keyed by ids would fill the memory with columns. */
type Room = { members: number }

/** Deeper than any API nests, and shallow enough for a stack. */
const deepest = 100

function emptyShape(): Shape {
  return { scalars: new Set(), members: null, items: null, structures: [] }
}

/** Adds one more value to what is known of a place. */
function widen(shape: Shape, value: unknown, room: Room, depth = 0): void {
  if (isObject(value)) {
    if (shape.members === null) shape.structures.push('object')
    shape.members ??= new Map()
    if (depth < deepest) widenMembers(shape.members, value, room, depth)
  } else if (isList(value)) {
    if (shape.items === null) shape.structures.push('array')
    shape.items ??= emptyShape()
    if (depth < deepest) for (const item of value) widen(shape.items, item, room, depth + 1)
  } else {
    shape.scalars.add(scalarOf(value))
  }
}

function widenMembers(members: Map<string, Shape>, value: object, room: Room, depth: number): void {
  for (const [name, member] of Object.entries(value)) {
    let known = members.get(name)
    if (known === undefined) {
      if (room.members === 0) continue
      room.members--
      known = emptyShape()
      members.set(name, known)
    }
    widen(known, member, room, depth + 1)
  }
}

/** Whatever is neither text nor truth nor nothing is a number: long ones are bigints or objects of their own. */
function scalarOf(value: unknown): Scalar {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'boolean' || typeof value === 'string') return typeof value as Scalar
  return 'number'
}

function isUnseen({ scalars, structures }: Shape): boolean {
  return scalars.size === 0 && structures.length === 0
}
