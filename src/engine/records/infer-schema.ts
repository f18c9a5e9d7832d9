/** Sample records → the JSON Schema that fits them all, as Airbyte infers it. */
import { setMember } from '../../std/values/set-member.ts'
import { isObject } from '../../std/values/objects.ts'
import type { JsonRecord, JsonSchema } from '../plan/plan.ts'
import { inferFormats } from './infer-formats.ts'
import { emptyShape, isUnseen, type Shape, widen } from './shape.ts'

export type InferOptions = {
  /** Paths of names. What they lead to is in every record, and never null. */
  readonly required?: readonly (readonly string[])[]
  /** How many members are told apart; the rest is left out. */
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
 * Looks at records one by one; memory goes by the number of fields, not of records.
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
