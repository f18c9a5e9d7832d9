/** The partition routers of a stream: one, or several that are combined, as edits of the manifest's text. */
import { isObject, type Members } from '../../../std/values/objects.ts'
import { appendResolved, detach, removeItemResolved } from '../../../document/edit-resolved.ts'
import { setIn } from '../../../document/edit.ts'
import { follow } from '../../../document/follow.ts'
import { openDocument } from '../../../document/open-document.ts'
import { type Path, pointerOf, valueAt } from '../../../document/value-path.ts'
import { hasReference, isReference } from '../../../document/references.ts'
import type { StreamPlace } from '../../../document/stream-paths.ts'
import { keysIn } from '../records/primary-key.ts'

export type RouterKind = 'ListPartitionRouter' | 'SubstreamPartitionRouter'

export const routerLabels: Record<RouterKind, string> = {
  ListPartitionRouter: 'List',
  SubstreamPartitionRouter: 'Parent stream',
}

export function routerKindOf(router: unknown): RouterKind | null {
  const { type } = isObject(router) ? router : {}
  return type === 'ListPartitionRouter' || type === 'SubstreamPartitionRouter' ? type : null
}

/** The places of the routers, whether they are written as one or as a list. */
export function routerPaths(at: Path, value: unknown): Path[] {
  if (Array.isArray(value)) return value.map((_, index) => [...at, index])
  return value === undefined || value === null ? [] : [at]
}

/** One router is written alone, as most manifests have it; the second makes a list of both. */
export function addRouter(text: string, at: Path, router: Members): string {
  const own = detach(text, at)
  const root = openDocument(own).value
  const { value, writtenAt } = follow(root, at)
  if (Array.isArray(value)) return appendResolved(own, at, router)
  return setIn(own, writtenAt, value === undefined || value === null ? router : [valueAt(root, writtenAt), router])
}

/** Only for one of several: the last is switched off with the section. */
export function removeRouter(text: string, at: Path, index: number): string {
  return removeItemResolved(text, at, index)
}

export function newRouter(root: unknown, kind: RouterKind, parents: readonly StreamPlace[]): Members {
  if (kind === 'ListPartitionRouter') return { type: kind, values: [] }
  const [first] = parents
  return { type: kind, parent_stream_configs: first === undefined ? [] : [newParent(root, first)] }
}

/** No name is invented: what the manifest does not know is left for the author, and reported in place. */
export function newParent(root: unknown, parent: StreamPlace): Members {
  const key = onlyKey(root, parent)
  return {
    type: 'ParentStreamConfig',
    stream: { $ref: referenceTo(root, parent) },
    ...(key !== null && { parent_key: key }),
  }
}

/** The primary key of a stream, where it is one field. */
export function onlyKey(root: unknown, { path }: StreamPlace): string | null {
  const [key, ...others] = keysIn(follow(root, [...path, 'primary_key']).value) ?? []
  const [name, ...further] = key ?? []
  return name === undefined || others.length + further.length > 0 ? null : name
}

/** The definition of a stream where there is one, since that stays when streams are reordered. */
export function referenceTo(root: unknown, { path }: StreamPlace): string {
  const written = valueAt(root, path)
  if (isReference(written)) return written
  const isBare = hasReference(written) && Object.keys(written).length === 1
  return isBare && isReference(written.$ref) ? written.$ref : `#/${path.join('/')}`
}

/** The stream whose definition a parent refers to; null for one that is written in place. */
export function parentOf(root: unknown, at: Path, streams: readonly StreamPlace[]): StreamPlace | null {
  const written = pointerOf(follow(root, [...at, 'stream']).writtenAt)
  return streams.find(({ path }) => pointerOf(follow(root, path).writtenAt) === written) ?? null
}

/** Writes the reference itself, and not into what the one before it led to. */
export function setParent(text: string, at: Path, parent: StreamPlace): string {
  const root = openDocument(text).value
  return setIn(text, [...follow(root, at).writtenAt, 'stream'], { $ref: referenceTo(root, parent) })
}

/** For help lines. */
export function usedAs(name: unknown): string {
  return `What templates call it: \`{{ ${accessTo(name)} }}\``
}

export function accessTo(name: unknown): string {
  return `stream_partition['${typeof name === 'string' && name !== '' ? name : 'name'}']`
}
