/** The spec and what was entered so far → a config to preview with: gaps are named, secrets hidden. */
import type { Config, JsonSchema } from '../../engine/plan/plan.ts'
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { setOwn, stringifyJson } from '../../std/json.ts'
import { hidden } from '../templates/hide-secrets.ts'

/**
 * The same config with an address wherever only a name stood: for a manifest that takes its base from there.
 * Null when nothing would change.
 */
export function withAddresses(config: Config, { named }: Placeholders): Config | null {
  const changed = Object.entries(config).map(([name, value]) => {
    const isAddress = /ur[il]|host|domain|endpoint|server|instance|base/i.test(name) && value === named(name)
    return [name, isAddress ? `https://${value}` : value] as const
  })
  return changed.some(([name, value]) => value !== config[name]) ? Object.fromEntries(changed) : null
}

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
  if (isRequired && property.default === undefined) {
    const date = dateFor(property)
    if (date !== null) return date
  }
  const [example] = isList(property.examples) ? property.examples.filter(isUsable) : []
  const [first] = isList(property.enum) ? property.enum : []
  const known = property.const ?? property.default ?? (isRequired ? (example ?? first) : undefined)
  return known ?? (isRequired ? placeholders.named(name) : undefined)
}

/** `<your-shop>.example` is for people. */
function isUsable(example: unknown): boolean {
  return typeof example !== 'string' || !/[<>{}\s]/.test(example)
}

/** A date must be one, or nothing can be reckoned with it. */
const dates = ['2024-01-01T00:00:00Z', '2024-01-01', '2024-01-01T00:00:00', '2024-01-01T00:00:00.000Z']

function dateFor({ format, pattern, examples }: Members): string | null {
  if (isList(examples) && examples.length > 0) return null
  if (format === 'date') return '2024-01-01'
  const fitting = typeof pattern === 'string' ? dates.find((date) => matches(pattern, date)) : undefined
  return fitting ?? (format === 'date-time' ? '2024-01-01T00:00:00Z' : null)
}

/** A pattern that also takes any other text says nothing about dates. */
function matches(pattern: string, date: string): boolean {
  try {
    const expression = new RegExp(pattern)
    return pattern.length < 200 && expression.test(date) && !expression.test('text')
  } catch {
    return false
  }
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

export type Placeholders = {
  /** Stands for a value: shown as `‹name›`. */
  readonly named: (name: string) => string
  /** Stands for a value that is never shown. */
  readonly secret: () => string
  /** The same text with names in place of what stood for them. */
  readonly reveal: (text: string) => string
}

/** Letters and digits only: whatever encodes it leaves it as it is, and it may be part of a host. */
export function openPlaceholders(): Placeholders {
  const shown: string[] = []
  const standIn = (text: string): string => {
    const known = shown.indexOf(text)
    if (known === -1) shown.push(text)
    return `xq7${known === -1 ? shown.length - 1 : known}q7x`
  }
  return {
    named: (name) => standIn(`‹${name}›`),
    secret: () => standIn(hidden),
    // A host, or a filter, may have changed the case.
    reveal: (text) => text.replaceAll(/xq7(\d+)q7x/gi, (stood, index: string) => shown[Number(index)] ?? stood),
  }
}
