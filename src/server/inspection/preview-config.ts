/** The spec and the inputs so far → a config for the preview: missing values get placeholders, secrets are hidden. */
import { schemaPattern } from '../../std/text/schema-pattern.ts'
import type { Config, JsonSchema } from '../../engine/plan/plan.ts'
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { stringifyJson } from '../../std/json.ts'
import { setMember } from '../../std/values/set-member.ts'
import { hidden } from '../templates/hide-secrets.ts'

/**
 * The same config with a URL in place of placeholders whose name looks like an address. Null when nothing changes.
 */
export function withUrlPlaceholders(config: Config, { named }: Placeholders): Config | null {
  const changed = Object.entries(config).map(([name, value]) => {
    const isAddress = /ur[il]|host|domain|endpoint|server|instance|base/i.test(name) && value === named(name)
    return [name, isAddress ? `https://${value}` : value] as const
  })
  return changed.some(([name, value]) => value !== config[name]) ? Object.fromEntries(changed) : null
}

/** @param used The part of the manifest that is previewed: inputs that it reads without declaring them get placeholders too. */
export function previewConfig(
  spec: JsonSchema | null,
  given: Config,
  used: unknown,
  placeholders: Placeholders,
): Config {
  const config = { ...given, ...filled(spec ?? {}, given, placeholders) }
  for (const name of namesUsedIn(used)) {
    const isOptional = isObject(spec?.properties) && Object.hasOwn(spec.properties, name)
    if (!Object.hasOwn(config, name) && !isOptional) setMember(config, name, placeholders.named(name))
  }
  return config
}

/** Omits what is optional and has no default, as a read does. */
function filled(schema: Members, given: Members, placeholders: Placeholders): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  const { properties } = schema
  const required = isList(schema.required) ? schema.required : []
  for (const [name, described] of isObject(properties) ? Object.entries(properties) : []) {
    const property = isObject(described) ? chosen(described, given[name]) : {}
    const value = valueOf(name, property, given[name], required.includes(name), placeholders)
    if (value !== undefined) setMember(result, name, value)
  }
  return result
}

function valueOf(name: string, property: Members, given: unknown, isRequired: boolean, placeholders: Placeholders) {
  const isGiven = given !== undefined && given !== null && given !== ''
  if (property.airbyte_secret === true) return isGiven || isRequired ? placeholders.secret() : undefined
  if (isObject(property.properties)) {
    const inner = isObject(given) ? given : {}
    const members = { ...inner, ...filled(property, inner, placeholders) }
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

/** Not `<your-shop>.example`. */
function isUsable(example: unknown): boolean {
  return typeof example !== 'string' || !/[<>{}\s]/.test(example)
}

/** Dates need a valid value, since slices are computed from them. */
const dates = ['2024-01-01T00:00:00Z', '2024-01-01', '2024-01-01T00:00:00', '2024-01-01T00:00:00.000Z']

function dateFor({ format, pattern, examples }: Members): string | null {
  if (isList(examples) && examples.length > 0) return null
  if (format === 'date') return '2024-01-01'
  const fitting = typeof pattern === 'string' ? dates.find((date) => matches(pattern, date)) : undefined
  return fitting ?? (format === 'date-time' ? '2024-01-01T00:00:00Z' : null)
}

/** Ignores patterns that match other text as well. */
function matches(pattern: string, date: string): boolean {
  const expression = schemaPattern(pattern)
  return expression !== null && pattern.length < 200 && expression.test(date) && !expression.test('text')
}

/** Of several alternatives, the one that fits the input, or the first. */
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

/** Inputs that templates read without a check for their existence. */
function namesUsedIn(part: unknown): Set<string> {
  const found = stringifyJson(part).matchAll(/\bconfig(?:\.(\w+)|\[\s*(?:'|\\")(\w+)(?:'|\\")\s*\])/g)
  const names = Array.from(found, ([, dotted, quoted]) => dotted ?? quoted ?? '')
  return new Set(names.filter((name) => name !== '' && !methods.has(name)))
}

export type Placeholders = {
  /** For an unknown value: shown as `‹name›`. */
  readonly named: (name: string) => string
  /** For a value that is never shown. */
  readonly secret: () => string
  /** Replaces placeholders by their names. */
  readonly reveal: (text: string) => string
}

/** Placeholders for unknown values, of letters and digits only: no encoding changes them, and they may be part of a host. */
export function openPlaceholders(): Placeholders {
  const shown: string[] = []
  const placeholder = (text: string): string => {
    const known = shown.indexOf(text)
    if (known === -1) shown.push(text)
    return `xq7${known === -1 ? shown.length - 1 : known}q7x`
  }
  return {
    named: (name) => placeholder(`‹${name}›`),
    secret: () => placeholder(hidden),
    // A host name or a filter may have changed the case.
    reveal: (text) => text.replaceAll(/xq7(\d+)q7x/gi, (match, index: string) => shown[Number(index)] ?? match),
  }
}
