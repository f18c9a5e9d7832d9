/** A manifest's spec → configs that fit it: one for each way to sign in, whatever else may be chosen taken first. */
import type { Manifest } from '../../engine/manifest/manifest.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { checkConfig, connectionSpecification } from '../../engine/plan/config.ts'
import { dateFormatsOf, isDateField } from './config-dates.ts'
import { configFromReads, withAddresses, withKeys, withPages } from './config-uses.ts'
import { dateOf, firstExample, numberOf, type Schema, textOf, typeOf } from './config-leaves.ts'
import { isObject } from '../../std/values/objects.ts'

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
  if (isDateField(name, schema, making.formats)) return dateOf(name, schema, making.formats)
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
