/** A manifest's spec → configs that fit it: one for each way to sign in, whatever else may be chosen taken first. */
import type { Manifest } from '../src/engine/manifest/manifest.ts'
import { checkConfig, connectionSpecification } from '../src/engine/plan/config.ts'
import { dateFormatsOf, isDateField } from './config-dates.ts'
import { configFromReads, withAddresses, withKeys, withPages } from './config-uses.ts'
import { dateText, now, start } from './calendar.ts'
import { sampleOf } from './pattern-sample.ts'
import { isObject } from './place.ts'

export type Config = Readonly<Record<string, unknown>>

type Schema = Readonly<Record<string, unknown>>

/** The first is meant for every stream; the others differ in the choices of the spec. */
export function configsFor(manifest: Manifest): Config[] {
  const schema = connectionSpecification(manifest)
  if (schema === null) return [withAddresses(manifest, configFromReads(manifest))]
  const formats = dateFormatsOf(manifest)
  const count = Math.max(1, ...choicesIn(schema))
  const made = Array.from({ length: count }, (_, variant) => {
    const config = objectOf(schema, { variant, formats }) as Config
    return withPages(manifest, withKeys(manifest, withAddresses(manifest, config)))
  })
  return made.filter((config, index) => index === 0 || fits(manifest, config))
}

function fits(manifest: Manifest, config: Config): boolean {
  try {
    checkConfig(manifest, config)
    return true
  } catch {
    return false
  }
}

type Making = { readonly variant: number; readonly formats: ReadonlyMap<string, readonly string[]> }

/** How many branches each choice has. */
function choicesIn(schema: unknown): number[] {
  if (!isObject(schema)) return []
  const branches = branchesOf(schema)
  const inside = isObject(schema.properties) ? Object.values(schema.properties) : []
  return [branches.length, ...[...branches, ...inside].flatMap(choicesIn)]
}

function branchesOf(schema: Schema): Schema[] {
  const branches = schema.oneOf ?? schema.anyOf
  return Array.isArray(branches) ? branches.filter(isObject) : []
}

function valueOf(name: string, schema: Schema, making: Making): unknown {
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return chosenOf(schema, schema.enum)
  const branches = branchesOf(schema)
  const branch = branches[making.variant % branches.length]
  if (branch !== undefined)
    return valueOf(
      name,
      {
        ...schema,
        oneOf: undefined,
        anyOf: undefined,
        ...branch,
        properties: { ...(schema.properties as object), ...(branch.properties as object) },
      },
      making,
    )
  if (isDateField(name, schema, making.formats)) return dateValue(name, schema, making)
  const given = schema.default ?? firstExample(schema)
  switch (typeOf(schema)) {
    case 'object':
      return objectOf(schema, making)
    case 'array':
      return listOf(name, schema, given, making)
    case 'integer':
    case 'number':
      return numberOf(schema, given)
    case 'boolean':
      return schema.default ?? false
    default:
      return textOf(name, schema, given)
  }
}

/** A list that must be one of some texts can only be left out. */
function chosenOf(schema: Schema, choices: readonly unknown[]): unknown {
  const choice = schema.default ?? choices.find((value) => value !== null && value !== '')
  return typeOf(schema) === 'array' && !Array.isArray(choice) ? undefined : choice
}

function typeOf(schema: Schema): unknown {
  if (Array.isArray(schema.type)) return schema.type.find((type) => type !== 'null')
  return schema.type ?? (schema.properties === undefined ? 'string' : 'object')
}

function objectOf(schema: Schema, making: Making): Record<string, unknown> {
  const branch = branchesOf(schema)[making.variant % Math.max(1, branchesOf(schema).length)] ?? {}
  const properties = { ...(schema.properties as object), ...(branch.properties as object) }
  const required = [schema.required, branch.required].flat()
  const members = Object.entries(properties).flatMap(([name, member]) => {
    if (!isObject(member)) return []
    const isNeeded = required.includes(name)
    const value = valueOf(name, member, making)
    return value === undefined || (value === '' && !isNeeded) ? [] : [[name, value] as const]
  })
  return Object.fromEntries(members)
}

function listOf(name: string, schema: Schema, given: unknown, making: Making): unknown {
  const { items } = schema
  if (Array.isArray(given) && given.length > 0) return given
  if (!isObject(items)) return given === undefined ? ['acme'] : [given]
  if (Array.isArray(items.enum)) return items.enum.slice(0, 2)
  return [isObject(given) ? given : valueOf(name, items, making)]
}

function numberOf(schema: Schema, given: unknown): number {
  const { minimum = 0, maximum = Number.POSITIVE_INFINITY } = schema as { minimum?: number; maximum?: number }
  const wanted = given === undefined || given === '' ? Number.NaN : Number(given)
  const value = Number.isFinite(wanted) ? wanted : 10
  return Math.min(maximum, Math.max(minimum, value))
}

function textOf(name: string, schema: Schema, given: unknown): string {
  const pattern = typeof schema.pattern === 'string' ? schema.pattern : null
  const candidates = [given, nameLike(name)].filter((value) => value !== undefined && value !== '').map(String)
  if (pattern === null) return candidates[0] ?? 'acme'
  return candidates.find((text) => matches(pattern, text)) ?? sampleOf(pattern) ?? 'acme'
}

/** Distinct per field, so that no two secrets look alike. */
function nameLike(name: string): string {
  if (/e?mail/i.test(name)) return 'someone@acme.example.com'
  return `${name.replaceAll(/[^a-z]/gi, '').toLowerCase()}x1`
}

function dateValue(name: string, schema: Schema, { formats }: Making): unknown {
  const at = isEnd(name) ? now : start
  const texts = (formats.get(name) ?? []).map((format) => dateText(at, format))
  const pattern = typeof schema.pattern === 'string' ? schema.pattern : null
  const text = texts.find((one) => pattern === null || matches(pattern, one)) ?? texts[0] ?? dateText(at, '%Y-%m-%d')
  return typeOf(schema) === 'integer' ? Number(text) : text
}

function isEnd(name: string): boolean {
  return /end|until|before|stop|(?:^|_)to(?:_|$)/i.test(name)
}

function firstExample({ examples, example }: Schema): unknown {
  return Array.isArray(examples) ? (examples as unknown[])[0] : (example ?? examples)
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return true
  }
}
