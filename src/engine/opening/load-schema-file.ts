/** JsonFileSchemaLoader: a file in the connector's folder → the schema in it, its references followed. */
import { ConnectorError } from '../../std/errors.ts'
import { followPath } from '../../std/values/get-at.ts'
import type { Config, JsonSchema } from '../plan/plan.ts'
import type { FileSchemaPlan } from '../plan/schema.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import type { Run } from '../run/run.ts'
import { pythonText } from '../template/text.ts'

export async function loadSchemaFile(run: Run, plan: FileSchemaPlan): Promise<JsonSchema | null> {
  const { readFile } = run
  const [path = '', ...others] = schemaPathsOf(plan, run.config)
  if (readFile === undefined) {
    if (plan.isOptional) return null
    throw new ConnectorError('plan/no-folder', `The schema ${path} needs the folder of its connector.`, { at: plan.at })
  }
  const found = await firstOf(run, plan, [path, ...others])
  if (found !== null) return followReferences(found, (file) => readJson(run, plan, file), plan)
  if (plan.isOptional) return null
  throw new ConnectorError('records/schema-file', `The schema ${path} does not exist.`, { at: plan.at })
}

/** Where the file may be, within the connector's folder; the first that exists counts. */
export function schemaPathsOf({ path, parameters }: FileSchemaPlan, config: Config): string[] {
  const named = pythonText(path.evaluate({ config, parameters })).replace(/^\.?\//, '')
  return [...new Set([named, withoutPackage(named)])]
}

type Document = { readonly path: string; readonly value: unknown }

async function firstOf(run: Run, plan: FileSchemaPlan, paths: readonly string[]): Promise<Document | null> {
  for (const path of paths) {
    const value = await readJson(run, plan, path)
    if (value !== undefined) return { path, value }
  }
  return null
}

/** Airbyte: the path starts with the connector's package, `source_<name>`, in which the manifest itself may be. */
function withoutPackage(path: string): string {
  return path.replace(/^source_\w+\//, '')
}

/** Undefined when there is no such file. */
async function readJson(run: Run, { at }: FileSchemaPlan, path: string): Promise<unknown> {
  const text = (await run.readFile?.(path, at)) ?? null
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ConnectorError('records/schema-file', `The schema ${path} is not readable as JSON.`, { at, cause })
  }
}

/** A schema larger than this, references followed, was not written by hand: it was made to fill the memory. */
const maxNodes = 200_000

/** `#/definitions/x` is in the file itself, `x.json#/…` in the folder `shared` next to it. */
async function followReferences(
  document: Document,
  readShared: (path: string) => Promise<unknown>,
  { at }: FileSchemaPlan,
): Promise<JsonSchema> {
  const shared = new Map<string, unknown>()
  const folder = document.path.includes('/') ? document.path.slice(0, document.path.lastIndexOf('/') + 1) : ''
  let nodes = 0

  const fault = (reason: string) =>
    new ConnectorError('records/invalid-schema', `The schema ${document.path} cannot be used: ${reason}.`, { at })

  const target = async (reference: string, from: Document): Promise<{ value: unknown; document: Document }> => {
    const [file = '', pointer = ''] = reference.split('#')
    let home = from
    if (file !== '') {
      const path = `${folder}shared/${file}`
      if (!shared.has(path)) shared.set(path, await readShared(path))
      home = { path, value: shared.get(path) }
    }
    const names = pointer
      .split('/')
      .slice(1)
      .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    const value = followPath(home.value, names)
    if (value === undefined) throw fault(`it refers to "${reference}", which is not there`)
    return { value, document: home }
  }

  const resolve = async (node: unknown, home: Document, way: readonly string[]): Promise<unknown> => {
    if (++nodes > maxNodes) throw fault('its references make it too large')
    if (isList(node)) return Promise.all(node.map((item) => resolve(item, home, way)))
    if (!isObject(node)) return node
    const { $ref: reference } = node
    if (typeof reference === 'string') {
      const step = `${home.path} ${reference}`
      if (way.includes(step)) throw fault(`"${reference}" contains itself`)
      const found = await target(reference, home)
      return withoutDefinitions(await resolve(found.value, found.document, [...way, step]))
    }
    const members: [string, unknown][] = []
    for (const [name, member] of Object.entries(node)) members.push([name, await resolve(member, home, way)])
    return Object.fromEntries(members)
  }

  const schema = await resolve(document.value, document, [])
  if (!isObject(schema)) throw fault('it is not an object')
  return schema
}

/** What a file defines for itself is of no use where a part of it ends up. */
function withoutDefinitions(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const { definitions: _, ...rest } = schema
  return rest
}
