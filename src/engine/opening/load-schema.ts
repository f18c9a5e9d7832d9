/** Where a stream's schema comes from → the schema itself, requested or read from a file if needed. */
import { ConnectorError } from '../../std/errors.ts'
import { awaitCustom, type Instances, type Wanted, instanceFor, instantiateAll } from '../custom/component.ts'
import type { Component } from '../manifest/manifest.ts'
import type { Config, JsonRecord, JsonSchema } from '../plan/plan.ts'
import type { StreamPlan } from '../plan/stream.ts'
import type { DynamicSchemaPlan, FieldType, SchemaPlan } from '../plan/schema.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import { SchemaLoader, changeClasses, filterClasses } from '../records/record-classes.ts'
import type { Run } from '../run/run.ts'
import { loadSchemaFile } from './load-schema-file.ts'
import { isTypeName } from '../records/coerce.ts'
import { stringifyJson } from '../../std/json.ts'
import type { Template } from '../template/template.ts'
import { describeValue, pythonText } from '../template/text.ts'
import { whichAreKept } from '../records/filter-records.ts'
import { followPath } from '../../std/values/get-at.ts'
import { loadSnakeCase } from '../records/snake-case.ts'
import { transformRecord } from '../records/transform.ts'

/** Reads the records of a retriever that belongs to no stream. */
export type ReadRetriever = (retriever: Component) => AsyncIterable<JsonRecord>

/** What of a stream's plan its schema depends on. */
export type SchemaOwner = Pick<StreamPlan, 'name' | 'at' | 'schema'>

/** Null when none is declared. What in it cannot be understood is reported. */
export async function loadSchema(run: Run, owner: SchemaOwner, read: ReadRetriever): Promise<JsonSchema | null> {
  const schema = await load(run, owner, owner.schema, read)
  const [first, ...others] = schema === null ? [] : schemaFaults(schema)
  if (first !== undefined) {
    const more = others.length === 0 ? '' : `, and ${others.length} more like it`
    run.report({ kind: 'warning', text: `The schema has an error: ${first}${more}.` })
  }
  return schema
}

async function load(run: Run, owner: SchemaOwner, plan: SchemaPlan, read: ReadRetriever): Promise<JsonSchema | null> {
  switch (plan.kind) {
    case 'inline':
      return plan.schema
    case 'file':
      return loadSchemaFile(run, plan)
    case 'dynamic':
      return loadDynamic(run, plan, read)
    case 'custom': {
      const instances = await instantiateAll([[plan, SchemaLoader]], run)
      const loader = instanceFor(instances, plan, SchemaLoader)
      const schema: unknown = await awaitCustom(plan, () => loader.jsonSchema({ streamName: owner.name }))
      if (isObject(schema)) return schema
      throw new ConnectorError('records/invalid-schema', `\`${plan.className}\` gives no schema.`, { at: plan.at })
    }
    case 'merged': {
      const schemas: (JsonSchema | null)[] = []
      for (const member of plan.members) schemas.push(await load(run, owner, member, read))
      return merged(schemas)
    }
  }
}

/** Airbyte: only properties are merged; what else the schemas say is dropped. */
function merged(schemas: readonly (JsonSchema | null)[]): JsonSchema {
  const properties = schemas
    .map((schema) => (isObject(schema?.properties) ? schema.properties : {}))
    .reduce<JsonRecord>((known, later) => ({ ...later, ...known }), {})
  return { $schema: 'http://json-schema.org/draft-07/schema#', type: ['null', 'object'], properties }
}

/** Airbyte: one record describes everything; the others are not requested. */
async function loadDynamic(run: Run, plan: DynamicSchemaPlan, read: ReadRetriever): Promise<JsonSchema> {
  const wanted: Wanted[] = [...filterClasses(plan.filter), ...changeClasses(plan.transformations)]
  const instances = await instantiateAll(wanted, run)
  await loadSnakeCase(plan.transformations)
  const warn = (text: string) => run.report({ kind: 'warning', text })
  for await (const record of read(plan.retriever)) {
    return schemaFromRecord(plan, record, { config: run.config, instances, warn })
  }
  return schemaFromRecord(plan, null, { config: run.config, instances, warn })
}

/** Empty when all of it is understood. Such parts are passed over: their values stay as they are. */
function schemaFaults(schema: unknown): string[] {
  const faults: string[] = []
  const visit = (node: unknown, path: string): void => {
    const name = path === '' ? 'the schema' : `\`${path}\``
    if (typeof node === 'boolean') return
    if (!isObject(node)) return void faults.push(`${name} is not described by an object`)
    const unknown = [node.type ?? []].flat().filter((type) => !isTypeName(type))
    if (unknown.length > 0) faults.push(`${name} has the unknown type ${unknown.map(spelled).join(', ')}`)
    if (typeof node.$ref === 'string') faults.push(`${name} refers to ${spelled(node.$ref)}, which is not there`)
    if (node.properties !== undefined && !isObject(node.properties))
      faults.push(`the properties of ${name} are not an object`)
    for (const [inner, member] of Object.entries(isObject(node.properties) ? node.properties : {})) {
      visit(member, path === '' ? inner : `${path}.${inner}`)
    }
    if (node.items !== undefined && !isList(node.items)) visit(node.items, `${path}[]`)
  }
  visit(schema, '')
  return faults
}

function spelled(word: unknown): string {
  return JSON.stringify(word) ?? String(word)
}

type DescribeInput = {
  readonly config: Config
  readonly instances: Instances
  readonly warn: (text: string) => void
}

function schemaFromRecord(plan: DynamicSchemaPlan, record: JsonRecord | null, input: DescribeInput): JsonSchema {
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
  const scope = { config, stream_slice: null, next_page_token: null }
  const inner = { scope, slice: { partition: {}, window: {} }, instances }
  const each = Object.entries(properties).map(([name, type]): JsonRecord => Object.fromEntries([[name, type]]))
  const isKept = whichAreKept(plan.filter, each, inner)
  const kept = Object.fromEntries(each.filter((_, index) => isKept[index]).flatMap(Object.entries))
  return transformRecord(plan.transformations, kept, inner)
}

function nameOf(plan: DynamicSchemaPlan, field: unknown, input: DescribeInput): string {
  const name = follow(plan, field, plan.namePath, input)
  if (typeof name === 'string') return name
  throw invalid(plan, `the name of a field is ${describeValue(name)}, not a string`)
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
  input.warn(`The field \`${name()}\` has an unknown type, ${shown}: its values stay as they are.`)
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
