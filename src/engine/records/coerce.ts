/** `schema_normalization: Default`: values that the schema wants of another type are cast; what cannot be stays. */
import { comesBack, exactNumber, Float, LongDecimal, float, integer } from '../../std/json.ts'
import { isTruthy, pythonText } from '../template/text.ts'
import { numberFromText, wholeFromText } from '../template/values/number-text.ts'
import { asDouble, isInt, isNumber } from '../template/values/kind.ts'
import { type Members, isList, isObject } from '../../std/values/objects.ts'
import { changeItems, changeMembers } from '../../std/values/change-inside.ts'

/** How one value is made to fit its schema. */
type Cast = (value: unknown, schema: Members) => unknown

/** A value that could not be made to fit. */
export type Misfit = {
  /** `lines[].price` */
  readonly field: string
  readonly wanted: readonly unknown[]
  readonly value: unknown
}

type FitOptions = {
  readonly cast?: Cast
  readonly onMisfit?: (misfit: Misfit) => void
}

/** The value, its members made to fit the schema's `properties` and `items` as far as they can be. What fits is not copied. */
export function fitToSchema(value: unknown, schema: Members, options: FitOptions = {}): unknown {
  const { cast = castValue, onMisfit } = options

  /** Where the value is that is looked at: `lines`, `[]`, `.price`. */
  const path: string[] = []

  const fitInside = (outer: unknown, { properties, items }: Members): unknown => {
    if (isObject(outer) && isObject(properties)) {
      const wantedOf = (name: string) => (Object.hasOwn(properties, name) ? properties[name] : null)
      return changeMembers(outer, (member, name) =>
        fitMember(member, wantedOf(name), path.length === 0 ? name : `.${name}`),
      )
    }
    return isList(outer) && isObject(items) ? changeItems(outer, (item) => fitMember(item, items, '[]')) : outer
  }
  const fitMember = (member: unknown, wanted: unknown, step: string): unknown => {
    if (!isObject(wanted)) return member
    const fitted = cast(member, wanted)
    path.push(step)
    if (onMisfit !== undefined && !isOfType(fitted, wanted)) {
      onMisfit({ field: path.join(''), wanted: typesOf(wanted).names, value: fitted })
    }
    const inside = isScalar(fitted) ? fitted : fitInside(fitted, wanted)
    path.pop()
    return inside
  }
  return fitInside(value, schema)
}

/** `names`: all in `type`, which is one, a list, or left out. */
type SchemaTypes = { readonly names: readonly unknown[]; readonly isNullable: boolean; readonly castTo: unknown }

/** A schema is the same for every record. */
const knownTypes = new WeakMap<Members, SchemaTypes>()

function typesOf(schema: Members): SchemaTypes {
  const known = knownTypes.get(schema)
  if (known !== undefined) return known
  const names = [schema.type ?? []].flat()
  const [castTo, ...others] = names.filter((name) => name !== 'null')
  const types = { names, isNullable: names.includes('null'), castTo: others.length > 0 ? null : castTo }
  knownTypes.set(schema, types)
  return types
}

/** Only a schema with one type other than null says what to cast to. */
export function castValue(value: unknown, schema: Members): unknown {
  const { isNullable, castTo } = typesOf(schema)
  if (value === null && isNullable) return null
  switch (castTo) {
    case 'string':
      return value instanceof LongDecimal ? value.digits : pythonText(value)
    case 'number':
      return toNumber(value)
    case 'integer':
      return toInteger(value)
    case 'boolean':
      return typeof value === 'string' ? (truths.get(value.trim().toLowerCase()) ?? value) : isTruthy(value)
    case 'array':
      return isScalar(value) && takesScalars(schema.items) ? [value] : value
    default:
      return value
  }
}

/** Infinity and NaN cannot be written as JSON, so a value that would become one stays. No digit is lost: ids are numbers, too. */
function toNumber(value: unknown): unknown {
  if (value instanceof LongDecimal) return value
  const number = isNumber(value) ? asDouble(value) : typeof value === 'string' ? numberFromText(value) : null
  if (number === null || !Number.isFinite(number)) return value
  const text = typeof value === 'bigint' || typeof value === 'string' ? String(value).trim() : ''
  return !asJson.test(text) || comesBack(number, text) ? float(number) : exactNumber(text)
}

const asJson = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i

function toInteger(value: unknown): unknown {
  if (typeof value === 'string') return wholeFromText(value, 10) ?? value
  if (isInt(value)) return integer(BigInt(value))
  const real = isNumber(value) ? asDouble(value) : Number.NaN
  return Number.isFinite(real) ? integer(BigInt(Math.trunc(real))) : value
}

const truths = new Map([
  ...['y', 'yes', 't', 'true', 'on', '1'].map((word) => [word, true] as const),
  ...['n', 'no', 'f', 'false', 'off', '0'].map((word) => [word, false] as const),
])

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null || value instanceof Float
}

const scalarTypes: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'null']

/** Airbyte: a single value becomes a list of it when the items have no type, or a list of simple ones; not one name. */
function takesScalars(items: unknown): boolean {
  if (items === undefined) return true
  if (!isObject(items)) return false
  return items.type === undefined || (isList(items.type) && items.type.every((type) => scalarTypes.includes(type)))
}

const tests: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  // Python takes a truth value for a number; a schema does not.
  integer: (value) => typeof value !== 'boolean' && isNumber(value) && Number.isInteger(asDouble(value)),
  number: (value) => typeof value !== 'boolean' && isNumber(value),
  array: isList,
  object: isObject,
}

export function isTypeName(name: unknown): name is string {
  return typeof name === 'string' && Object.hasOwn(tests, name)
}

/** Whether the value has one of the types that the schema names. Without a type, or with one unknown, anything fits. */
function isOfType(value: unknown, schema: Members): boolean {
  const { names } = typesOf(schema)
  return names.length === 0 || names.some((name) => !isTypeName(name) || tests[name]?.(value))
}

/** The name for the type of a value. */
export function schemaTypeName(value: unknown): string {
  return Object.keys(tests).find((name) => tests[name]?.(value)) ?? typeof value
}
