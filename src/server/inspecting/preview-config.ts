/** The spec and what was entered so far → a config to preview with: gaps are named, secrets hidden. */
import type { Config, JsonSchema } from '../../engine/plan/plan.ts'
import { isList, isObject, type Members } from '../../members.ts'
import { setOwn, stringifyJson } from '../../json.ts'
import type { Placeholders } from './placeholders.ts'

/** @param used The part of the manifest that is previewed: names that only it knows are named too. */
export function previewConfig(
  spec: JsonSchema | null,
  given: Config,
  used: unknown,
  placeholders: Placeholders,
): Config {
  const config = { ...given, ...filled(spec ?? {}, given, placeholders) }
  for (const name of namesUsedIn(used)) {
    const isOptional = isObject(spec?.properties) && Object.hasOwn(spec.properties, name)
    if (!Object.hasOwn(config, name) && !isOptional) setOwn(config, name, placeholders.named(name))
  }
  return config
}

/** What is not required and has no default is left out, as it is when the stream is read. */
function filled(schema: Members, given: Members, placeholders: Placeholders): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  const { properties } = schema
  const required = isList(schema.required) ? schema.required : []
  for (const [name, described] of isObject(properties) ? Object.entries(properties) : []) {
    const property = isObject(described) ? chosen(described, given[name]) : {}
    const value = valueOf(name, property, given[name], required.includes(name), placeholders)
    if (value !== undefined) setOwn(result, name, value)
  }
  return result
}

function valueOf(name: string, property: Members, given: unknown, isRequired: boolean, placeholders: Placeholders) {
  const isGiven = given !== undefined && given !== null && given !== ''
  if (property.airbyte_secret === true) return isGiven || isRequired ? placeholders.secret() : undefined
  if (isObject(property.properties)) {
    const own = isObject(given) ? given : {}
    const members = { ...own, ...filled(property, own, placeholders) }
    return isRequired || Object.keys(members).length > 0 ? members : undefined
  }
  if (isGiven) return given
  const [example] = isList(property.examples) ? property.examples : []
  const [first] = isList(property.enum) ? property.enum : []
  const known = property.const ?? property.default ?? (isRequired ? (example ?? first) : undefined)
  return known ?? (isRequired ? placeholders.named(name) : undefined)
}

/** Of several ways to fill a property, the one that fits what was entered, or the first. */
function chosen(property: Members, given: unknown): Members {
  const ways = [property.oneOf, property.anyOf].flatMap((list) => (isList(list) ? list : [])).filter(isObject)
  const fitting = ways.find((way) => isObject(given) && fits(way, given))
  return { ...property, ...(fitting ?? ways[0]) }
}

function fits({ properties }: Members, given: Members): boolean {
  const constants = isObject(properties)
    ? Object.entries(properties).filter(([, one]) => isObject(one) && 'const' in one)
    : []
  return constants.every(([name, one]) => (one as Members).const === given[name])
}

const methods = new Set(['get', 'items', 'keys', 'values'])

/** Names that templates read without asking whether they are there. */
function namesUsedIn(part: unknown): Set<string> {
  const found = stringifyJson(part).matchAll(/\bconfig(?:\.(\w+)|\[\s*(?:'|\\")(\w+)(?:'|\\")\s*\])/g)
  const names = Array.from(found, ([, dotted, quoted]) => dotted ?? quoted ?? '')
  return new Set(names.filter((name) => name !== '' && !methods.has(name)))
}
