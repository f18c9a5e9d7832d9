/** Config × the manifest's spec → the same config, or what is missing or wrong in it. */
import { Ajv, type ErrorObject } from 'ajv'
import { ConnectorError } from '../../std/errors.ts'
import { Float } from '../../std/json.ts'
import { schemaPattern } from '../../std/text/schema-pattern.ts'
import type { Manifest } from '../manifest/manifest.ts'
import type { Config, JsonSchema } from './plan.ts'

/** Throws when the config does not fit `spec.connection_specification`; values never appear in the message. */
export function checkConfig(manifest: Manifest, config: Config): void {
  const schema = connectionSpecification(manifest)
  if (schema === null) return
  const faults = faultsOf(schema, config)
  const [first] = faults
  if (first === undefined) return

  const isMissing = first.keyword === 'required'
  const message = `The config does not fit: ${faults.map(sayFault).join('; ')}.`
  throw new ConnectorError(isMissing ? 'plan/missing-config' : 'plan/invalid-config', message, {
    at: manifest.spec === null ? undefined : manifest.at(manifest.spec, 'connection_specification'),
  })
}

export function connectionSpecification(manifest: Manifest): JsonSchema | null {
  return (manifest.spec?.connection_specification as JsonSchema | undefined) ?? null
}

/** What is wrong with a value, in words that do not show it. */
export function schemaFaults(schema: JsonSchema, value: unknown): string[] {
  return faultsOf(schema, value).map(sayFault)
}

/** Compiling a schema costs milliseconds; a manifest is read many times. */
const validators = new WeakMap<JsonSchema, (value: unknown) => readonly ErrorObject[]>()

function faultsOf(schema: JsonSchema, value: unknown): readonly ErrorObject[] {
  let validate = validators.get(schema)
  if (validate === undefined) {
    validate = compile(schema)
    validators.set(schema, validate)
  }
  return withoutOtherChoices(validate(value))
}

/**
 * Of several ways to log in, the faults of the one that the value names: what the others want is not missing. Where it
 * names none of them, only that.
 */
function withoutOtherChoices(faults: readonly ErrorObject[]): readonly ErrorObject[] {
  return faults
    .filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf')
    .reduce((left, choice) => {
      const within = left.filter(({ schemaPath }) => schemaPath.startsWith(`${choice.schemaPath}/`))
      const wayOf = ({ schemaPath }: ErrorObject) => schemaPath.slice(choice.schemaPath.length + 1).split('/', 1)[0]
      const misnamed = within.filter(
        (fault) => namesOf(fault).length === 1 && fault.instancePath !== choice.instancePath,
      )
      const others = new Set(misnamed.map(wayOf))
      const named = within.filter((fault) => !others.has(wayOf(fault)))
      const [first] = misnamed
      if (first === undefined || new Set(named.map(wayOf)).size > 1) return left
      const unknown = { ...first, keyword: 'enum', params: { allowedValues: [...new Set(misnamed.flatMap(namesOf))] } }
      const replacement = named.length > 0 ? named : [unknown]
      return [...left.filter((fault) => fault !== choice && !within.includes(fault)), ...replacement]
    }, faults)
}

/** What a value was compared with by `const` or `enum`: one is the name of a way. */
function namesOf({ keyword, params }: ErrorObject): readonly unknown[] {
  return keyword === 'const' ? [params.allowedValue] : keyword === 'enum' ? (params.allowedValues as unknown[]) : []
}

function compile(schema: JsonSchema): (value: unknown) => readonly ErrorObject[] {
  // Public specs carry keywords of their own (airbyte_secret, order, …) and formats meant for people.
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    validateFormats: false,
    validateSchema: false,
    meta: false,
    logger: false,
    code: { regExp: patternOf },
  })
  try {
    const { $schema: _draft, ...rest } = schema
    const check = ajv.compile(rest)
    // ajv knows JavaScript's own numbers only.
    return (value) => (check(plainConfig(value)) ? [] : (check.errors ?? []))
  } catch {
    // Airbyte: a spec that is no valid JSON Schema does not stop a read.
    return () => []
  }
}

/** Any text fits a pattern that only Python reads, and the rest of the spec still counts. */
function patternOf(pattern: string): { test: (text: string) => boolean } {
  return schemaPattern(pattern) ?? { test: () => true }
}
patternOf.code = 'patternOf'

function plainConfig(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Float) return value.value
  if (Array.isArray(value)) return value.map(plainConfig)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainConfig(member)]))
}

function sayFault({ instancePath, keyword, params, message }: ErrorObject): string {
  const place = instancePath === '' ? '' : `\`${instancePath.slice(1).replaceAll('/', '.')}\` `
  if (keyword === 'required') return `${place}\`${String(params.missingProperty)}\` is missing`
  if (keyword === 'const') return `${place}must be ${String(params.allowedValue)}`
  if (keyword === 'additionalProperties')
    return `${place}\`${String(params.additionalProperty)}\` is not among its fields`
  if (keyword === 'enum') return `${place}must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}`
  return `${place}${message ?? keyword}`
}
