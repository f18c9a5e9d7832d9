/** The properties that a stream requests by name, found once and put into groups. */
import { followPath } from '../../std/values/get-at.ts'
import { instantiateAll } from '../custom/component.ts'
import type { OpenProperties } from '../pages/stream.ts'
import type { JsonSchema } from '../plan/plan.ts'
import type { PropertiesPlan, PropertyEndpointPlan } from '../plan/query-properties.ts'
import { isObject } from '../../std/values/objects.ts'
import { loadSnakeCase } from '../records/snake-case.ts'
import { transformRecord } from '../records/transform.ts'
import { propertyChunks } from '../request/property-chunks.ts'
import type { Run } from '../run/run.ts'
import { pythonText } from '../template/text.ts'
import type { ReadRetriever } from './load-schema.ts'
import { once } from './once.ts'
import { changeClasses } from '../records/record-classes.ts'

type PropertyTools = {
  readonly read: (signal: AbortSignal) => ReadRetriever
  /** What the properties are chosen by. */
  readonly schema: (signal: AbortSignal) => Promise<JsonSchema | null>
}

export function openProperties(run: Run, plan: PropertiesPlan, { read, schema }: PropertyTools): OpenProperties {
  return {
    plan,
    chunks: once(async (signal) => {
      const selected = plan.selection === null ? null : await selectedBy(run, plan.selection, await schema(signal))
      const names = 'retriever' in plan.source ? await namesFrom(run, plan.source, read(signal)) : plan.source
      return propertyChunks(plan, names, selected)
    }),
  }
}

/** A schema that names no properties selects nothing: everything is requested. */
async function selectedBy(
  run: Run,
  { transformations }: NonNullable<PropertiesPlan['selection']>,
  schema: JsonSchema | null,
): Promise<ReadonlySet<string> | null> {
  if (schema === null || !isObject(schema.properties)) return null
  const instances = await instantiateAll(changeClasses(transformations), run)
  await loadSnakeCase(transformations)
  const scope = { config: run.config, stream_slice: null, next_page_token: null }
  const inner = { scope, slice: { partition: {}, window: {} }, instances }
  return new Set(Object.keys(transformRecord(transformations, schema.properties, inner)))
}

async function namesFrom(run: Run, source: PropertyEndpointPlan, read: ReadRetriever): Promise<string[]> {
  const scope = { config: run.config, parameters: source.parameters }
  const path = source.path.map((name) => pythonText(name.evaluate(scope)))
  const names: string[] = []
  let missing = 0
  for await (const record of read(source.retriever)) {
    const name = followPath(record, path)
    if (name === undefined || name === null) missing++
    else names.push(pythonText(name))
  }
  if (missing > 0) {
    const text = `${missing} of the properties that the API lists have nothing at \`${path.join('.')}\` and are not requested.`
    run.report({ kind: 'warning', text })
  }
  return names
}
