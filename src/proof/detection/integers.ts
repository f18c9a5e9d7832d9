/** An inferred schema and its samples → the same with `integer` where whole numbers are what was seen: a double loses digits of an id. */
import { isList, isObject } from '../../std/values/objects.ts'
import { wordsOf } from '../names/name-words.ts'

type Schema = Readonly<Record<string, unknown>>

export function withIntegers(schema: Schema, values: readonly unknown[], name = ''): Schema {
  const { type, properties, items } = schema
  const numbers = values.filter((value) => value !== null && value !== undefined)
  const isWhole = numbers.length > 0 && numbers.every(isWholeNumber) && !measures(name)
  const retyped = isWhole ? { type: integerIn(type) } : {}
  const inObject = isObject(properties) ? { properties: withIntegersIn(properties, values.filter(isObject)) } : {}
  const inList = isObject(items) ? { items: withIntegers(items, values.filter(isList).flat(), name) } : {}
  return { ...schema, ...retyped, ...inObject, ...inList }
}

function withIntegersIn(properties: Schema, records: readonly Schema[]): Schema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      isObject(schema)
        ? withIntegers(
            schema,
            records.map((record) => (Object.hasOwn(record, name) ? record[name] : null)),
            name,
          )
        : schema,
    ]),
  )
}

/** `1.0` and what has too many digits for a double's fraction are objects of their own, and no whole numbers. */
function isWholeNumber(value: unknown): boolean {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
}

function integerIn(type: unknown): unknown {
  return isList(type) ? type.map(integerIn) : type === 'number' ? 'integer' : type
}

/** What is measured has fractions sooner or later, whatever the first records show. */
function measures(name: string): boolean {
  const words = wordsOf(name)
  return !words.includes('id') && words.some((word) => measured.has(word))
}

const measured = new Set(
  `amount price cost fee tax rate ratio percent percentage score weight height width length depth balance value average avg mean
  lat latitude lng lon longitude distance temperature discount subtotal total sum revenue margin duration seconds hours volume
  area speed probability confidence progress rating`.split(/\s+/),
)
