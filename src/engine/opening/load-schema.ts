/** Where a stream's schema comes from → the schema itself, asked for or read where it has to be. */
import { ConnectorError } from '../../std/errors.ts'
import { awaitCustom, instanceFor, instantiateAll, type Wanted } from '../custom/component.ts'
import type { Component } from '../manifest/manifest.ts'
import type { JsonRecord, JsonSchema } from '../plan/plan.ts'
import type { StreamPlan } from '../plan/stream.ts'
import type { DynamicSchemaPlan, SchemaPlan } from '../plan/schema.ts'
import { schemaFromRecord } from '../records/dynamic-schema.ts'
import { isObject } from '../../std/values/objects.ts'
import { SchemaLoader } from '../records/schema-classes.ts'
import { schemaFaults } from '../records/schema-faults.ts'
import type { Run } from '../run/run.ts'
import { loadSchemaFile } from './load-schema-file.ts'
import { changeClasses, filterClasses } from './stream-classes.ts'

/** Reads the records of a retriever that belongs to no stream. */
export type ReadRetriever = (retriever: Component) => AsyncIterable<JsonRecord>

/** What of a stream's plan its schema depends on. */
export type SchemaOwner = Pick<StreamPlan, 'name' | 'at' | 'schema'>

/** Null when nobody declares one. What in it cannot be understood is reported. */
export async function loadSchema(run: Run, owner: SchemaOwner, read: ReadRetriever): Promise<JsonSchema | null> {
  const schema = await load(run, owner, owner.schema, read)
  const [first, ...others] = schema === null ? [] : schemaFaults(schema)
  if (first !== undefined) {
    const more = others.length === 0 ? '' : `, and ${others.length} more like it`
    run.report({ kind: 'warning', text: `The schema is not clear: ${first}${more}.` })
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

/** Airbyte: one record tells everything; the others are not asked for. */
async function loadDynamic(run: Run, plan: DynamicSchemaPlan, read: ReadRetriever): Promise<JsonSchema> {
  const wanted: Wanted[] = [...filterClasses(plan.filter), ...changeClasses(plan.transformations)]
  const instances = await instantiateAll(wanted, run)
  const warn = (text: string) => run.report({ kind: 'warning', text })
  for await (const record of read(plan.retriever)) {
    return schemaFromRecord(plan, record, { config: run.config, instances, warn })
  }
  return schemaFromRecord(plan, null, { config: run.config, instances, warn })
}
