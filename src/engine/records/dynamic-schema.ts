/** DynamicSchemaLoader: a record in which the API describes its fields → the JSON Schema of its records. */
import { ConnectorError } from '../../std/errors.ts'
import { stringifyJson } from '../../std/json.ts'
import type { Instances } from '../custom/component.ts'
import type { Config, JsonRecord, JsonSchema } from '../plan/plan.ts'
import type { DynamicSchemaPlan, FieldType } from '../plan/schema.ts'
import type { Template } from '../template/template.ts'
import { describeValue, pythonText } from '../template/text.ts'
import { whichAreKept } from './keep.ts'
import { isList } from '../../std/values/objects.ts'
import { followPath } from '../../std/values/get-at.ts'
import { transformRecord } from './transform.ts'

export type DescribeInput = {
  readonly config: Config
  readonly instances: Instances
  readonly warn: (text: string) => void
}

export function schemaFromRecord(plan: DynamicSchemaPlan, record: JsonRecord | null, input: DescribeInput): JsonSchema {
  const described = record === null ? [] : follow(plan, record, plan.fieldsPath, input)
  if (!isList(described)) throw invalid(plan, `the fields are ${describeValue(described)}, not a list`)
  const properties = described.map((field) => [nameOf(plan, field, input), typeOf(plan, field, input)] as const)
  return {
    $schema: 'https://json-schema.org/draft-07/schema#',
    type: 'object',
    additionalProperties: true,
    properties: changed(plan, Object.fromEntries(properties), input),
  }
}

/** Airbyte: the filter sees each property as a record of its own, the transformations see all of them as one. */
function changed(plan: DynamicSchemaPlan, properties: JsonRecord, { config, instances }: DescribeInput): JsonRecord {
  const scope = { config, parameters: {}, stream_slice: null, next_page_token: null }
  const inner = { scope, slice: { partition: {}, window: {} }, instances }
  const each = Object.entries(properties).map(([name, type]): JsonRecord => Object.fromEntries([[name, type]]))
  const isKept = whichAreKept(plan.filter, each, inner)
  const kept = Object.fromEntries(each.filter((_, index) => isKept[index]).flatMap(Object.entries))
  return transformRecord(plan.transformations, kept, inner)
}

function nameOf(plan: DynamicSchemaPlan, field: unknown, input: DescribeInput): string {
  const name = follow(plan, field, plan.namePath, input)
  if (typeof name === 'string') return name
  throw invalid(plan, `the name of a field is ${describeValue(name)}, not a text`)
}

function typeOf(plan: DynamicSchemaPlan, field: unknown, input: DescribeInput): JsonSchema {
  const said = plan.typePath === null ? 'string' : (follow(plan, field, plan.typePath, input) ?? 'string')
  const scope = { config: input.config, parameters: {}, raw_schema: field }
  const rule = plan.types.find(
    ({ from, onlyIf }) =>
      stringifyJson(from) === stringifyJson(said) && (onlyIf === null || onlyIf.evaluate(scope, 'boolean') === true),
  )
  const type = rule === undefined ? said : rule.to
  const name = () => nameOf(plan, field, input)
  if (isList(type) && type.length === 2)
    return { oneOf: type.map((one) => schemaOfType(one as FieldType, name, input)) }
  return schemaOfType(type as FieldType, name, input)
}

/** One word that the API made up yesterday must not cost the whole schema: such a field may hold anything. */
function schemaOfType(type: FieldType, name: () => string, input: DescribeInput): JsonSchema {
  if (typeof type === 'string' && Object.hasOwn(fieldTypes, type)) return fieldTypes[type] as JsonSchema
  if (typeof type === 'object' && type !== null && 'items' in type) {
    const outer = schemaOfType(type.type, name, input)
    return type.items === null ? outer : { ...outer, items: schemaOfType(type.items, name, input) }
  }
  const shown = typeof type === 'string' ? `"${type}"` : describeValue(type)
  input.warn(`The field \`${name()}\` is of a type that nothing is known of, ${shown}: its values stay as they are.`)
  return {}
}

function follow(
  { parameters }: DynamicSchemaPlan,
  value: unknown,
  path: readonly Template[],
  { config }: DescribeInput,
): unknown {
  return followPath(
    value,
    path.map((name) => pythonText(name.evaluate({ config, parameters }))),
  )
}

function invalid({ at }: DynamicSchemaPlan, reason: string): ConnectorError {
  return new ConnectorError('records/invalid-schema', `The API does not describe its fields as expected: ${reason}.`, {
    at,
    hint: 'Check `schema_pointer`, `key_pointer` and `type_pointer` against what the API answers.',
  })
}

const orNull = (type: string, more: object = {}): JsonSchema => ({ type: ['null', type], ...more })

/** Airbyte's names for types. */
const fieldTypes: Readonly<Record<string, JsonSchema>> = {
  string: orNull('string'),
  boolean: orNull('boolean'),
  date: orNull('string', { format: 'date' }),
  timestamp_without_timezone: orNull('string', { format: 'date-time', airbyte_type: 'timestamp_without_timezone' }),
  timestamp_with_timezone: orNull('string', { format: 'date-time' }),
  time_without_timezone: orNull('string', { format: 'time', airbyte_type: 'time_without_timezone' }),
  time_with_timezone: orNull('string', { format: 'time', airbyte_type: 'time_with_timezone' }),
  integer: orNull('integer'),
  number: orNull('number'),
  array: orNull('array'),
  object: orNull('object'),
}
