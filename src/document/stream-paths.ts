/** A document → its streams: the name of each, and its path in the resolved document. */
import { isObject, type TreeObject } from '../engine/manifest/tree.ts'
import { follow, usersOf } from './follow.ts'
import { hasReference, resolveIn } from './references.ts'
import type { Path } from './value-path.ts'

export type StreamPlace = {
  readonly name: string
  readonly path: Path
  /** Written out, admitted by a condition, or a template that streams are made from. */
  readonly kind: 'written' | 'conditional' | 'dynamic'
}

/** All streams in the order of the document, those made from templates last. */
export function streamsIn(root: unknown): StreamPlace[] {
  const parameters = parametersOf(root, {})
  return [
    ...listAt(root, 'streams').flatMap(({ value, path }) => streamsAt(value, path, parameters)),
    ...listAt(root, 'dynamic_streams').map(({ value, path }) => ({
      name: nameOf(value, parameters) ?? `dynamic stream ${Number(path.at(-1)) + 1}`,
      path,
      kind: 'dynamic' as const,
    })),
  ]
}

type Parameters = Readonly<TreeObject>
type Found = { readonly value: unknown; readonly path: Path }

function listAt(root: unknown, name: string): Found[] {
  const list = isObject(root) && Object.hasOwn(root, name) ? root[name] : undefined
  const items = Array.isArray(list) ? (list as readonly unknown[]) : follow(root, [name]).value
  return Array.isArray(items)
    ? items.map((item: unknown, index) => ({ value: headOf(root, item), path: [name, index] }))
    : []
}

/** What names a stream, without the rest of it: writing out every schema at every key would take too long. */
const headMembers = ['type', 'name', '$parameters', 'streams']

function headOf(root: unknown, stream: unknown): unknown {
  if (!isObject(stream) || hasReference(stream)) return resolveIn(root, stream)
  const head: TreeObject = {}
  for (const key of headMembers) if (Object.hasOwn(stream, key)) head[key] = resolveIn(root, stream[key])
  return head
}

function streamsAt(value: unknown, path: Path, inherited: Parameters): StreamPlace[] {
  if (isObject(value) && value.type === 'ConditionalStreams' && Array.isArray(value.streams)) {
    const parameters = parametersOf(value, inherited)
    return value.streams.map((stream: unknown, index) => ({
      name: nameOf(stream, parameters) ?? `stream ${index + 1}`,
      path: [...path, 'streams', index],
      kind: 'conditional' as const,
    }))
  }
  return [{ name: nameOf(value, inherited) ?? `stream ${Number(path.at(-1)) + 1}`, path, kind: 'written' }]
}

/** A parameter supplies a missing name, and values in the name's template. The stream's own parameters take precedence. */
function nameOf(stream: unknown, inherited: Parameters): string | null {
  const parameters = parametersOf(stream, inherited)
  const own = isObject(stream) && stream.name !== '' ? stream.name : undefined
  const name = own ?? parameters.name
  if (typeof name !== 'string' || name === '') return null
  return name.replace(parameterTemplate, (template, dotted?: string, quoted?: string) => {
    const value = parameters[dotted ?? quoted ?? '']
    return typeof value === 'string' || typeof value === 'number' ? String(value) : template
  })
}

/** `{{ parameters.name }}` and `{{ parameters['name'] }}`; formerly `options`. */
const parameterTemplate = /\{\{\s*(?:parameters|options)(?:\.(\w+)|\[\s*["'](.+?)["']\s*\])\s*\}\}/g

function parametersOf(component: unknown, inherited: Parameters): Parameters {
  const own = isObject(component) ? component.$parameters : undefined
  return isObject(own) ? { ...inherited, ...own } : inherited
}

/** The streams that a change at this path would affect. */
export function streamsUsing(root: unknown, writtenAt: Path): StreamPlace[] {
  const users = usersOf(root, writtenAt)
  return streamsIn(root).filter(({ path }) =>
    users.some((user) => path.every((key, at) => user[at] === key) || user.every((key, at) => path[at] === key)),
  )
}

/** The schema of a new stream: any field is allowed. */
export const anyFieldSchema = {
  type: 'InlineSchemaLoader',
  schema: {
    type: 'object',
    $schema: 'http://json-schema.org/draft-07/schema#',
    additionalProperties: true,
    properties: {},
  },
} as const
