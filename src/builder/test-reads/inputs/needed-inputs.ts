/** The spec of a config and the values at hand → what is still needed. */
import { parseJson } from '../../../std/json.ts'

export type NeededInput = {
  readonly name: string
  readonly title: string
  readonly kind: 'text' | 'integer' | 'number' | 'boolean' | 'choice' | 'nested'
  readonly choices: readonly string[]
  readonly isSecret: boolean
  readonly help: string | null
}

type Schema = Readonly<Record<string, unknown>>

/** An input with a default is not required. */
export function neededInputs(spec: Schema | null, inputs: Schema): NeededInput[] {
  const required = Array.isArray(spec?.required) ? spec.required : []
  return required
    .filter((name): name is string => typeof name === 'string')
    .filter((name) => isMissing(Object.hasOwn(inputs, name) ? inputs[name] : undefined))
    .map((name) => [name, propertyOf(spec, name)] as const)
    .filter(([, property]) => property.default === undefined)
    .map(([name, property]) => describeInput(name, property))
}

export function secretNames(spec: Schema | null): string[] {
  return Object.keys(propertiesOf(spec)).filter((name) => propertyOf(spec, name).airbyte_secret === true)
}

/** What was typed → its value; null where it has none. Digits are kept. */
export function typedValue(kind: NeededInput['kind'], typed: string): { readonly value: unknown } | null {
  if (typed === '') return null
  if (kind === 'boolean') return { value: typed === 'true' }
  if (kind !== 'integer' && kind !== 'number') return { value: typed }
  const isNumber = (kind === 'integer' ? /^-?\d+$/ : /^-?\d+(\.\d+)?$/).test(typed)
  return isNumber ? { value: parseJson(typed.replace(/^(-?)0+(?=\d)/, '$1')).value } : null
}

/** What a control for the input needs to know. */
export function describeInput(name: string, property: Schema): NeededInput {
  const choices = Array.isArray(property.enum)
    ? property.enum.filter((one): one is string => typeof one === 'string')
    : []
  return {
    name,
    title: typeof property.title === 'string' ? property.title : name,
    kind: choices.length > 0 ? 'choice' : kindOfSchema(property),
    choices,
    isSecret: property.airbyte_secret === true,
    help: typeof property.description === 'string' ? property.description : null,
  }
}

function kindOfSchema({ type, oneOf }: Schema): NeededInput['kind'] {
  const types: unknown[] = Array.isArray(type) ? type.filter((one) => one !== 'null') : [type]
  const [only] = types
  if (oneOf !== undefined || only === 'object' || only === 'array') return 'nested'
  return only === 'integer' || only === 'number' || only === 'boolean' ? only : 'text'
}

function propertyOf(spec: Schema | null, name: string): Schema {
  const properties = propertiesOf(spec)
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined
  return typeof property === 'object' && property !== null ? (property as Schema) : {}
}

function propertiesOf(spec: Schema | null): Schema {
  const properties = spec?.properties
  return typeof properties === 'object' && properties !== null ? (properties as Schema) : {}
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
