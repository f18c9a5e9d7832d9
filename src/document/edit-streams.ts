/** Adds, copies, renames, removes and orders streams, as edits of the text. */
import { isObject, type TreeObject } from '../engine/manifest/tree.ts'
import { insertItem, moveItem, removeIn, renameKey, setIn } from './edit.ts'
import { removeResolved, setResolved } from './edit-resolved.ts'
import { follow } from './follow.ts'
import { openDocument } from './open-document.ts'
import { type Path, pointerOf, valueAt } from './value-path.ts'
import { hasReference, isReference, targetPath } from './references.ts'
import { isReferredTo, repoint } from './repoint.ts'
import { streamsIn } from './stream-paths.ts'

/** At the end of the streams. The first one is also what `check` reads. */
export function addStream(text: string, stream: TreeObject & { readonly name: string }): string {
  const root = openDocument(text).value
  const { value, writtenAt } = follow(root, ['streams'])
  const index = Array.isArray(value) ? value.length : 0
  return checkingSome(insertItem(withRoomAt(text, writtenAt, index), writtenAt, index, stream))
}

/** Right after the original, and written in the same way: in the list, or in the definitions with a reference. */
export function duplicateStream(text: string, path: Path, name: string): string {
  const { writtenAt } = follow(openDocument(text).value, path.slice(0, -1))
  const index = Number(path.at(-1)) + 1
  const roomy = withRoomAt(text, writtenAt, index)
  const root = openDocument(roomy).value
  const item = valueAt(root, [...writtenAt, index - 1])
  const reference = referenceOf(item)
  const target = reference === null ? null : targetPath(root, reference)
  const parent = target?.slice(0, -1) ?? []
  if (target === null || isIn(writtenAt, target))
    return named(insertItem(roomy, writtenAt, index, item), [...path.slice(0, -1), index], name)
  const key = freeKey(valueAt(root, parent), name)
  const defined = setIn(roomy, [...parent, key], valueAt(root, target))
  const copied = `#/${[...parent, key].join('/')}`
  const copy = isReference(item) ? copied : { $ref: copied }
  return named(insertItem(defined, writtenAt, index, copy), [...path.slice(0, -1), index], name)
}

/** References to the items from this index on count one more, which is inserted next. */
function withRoomAt(text: string, list: Path, index: number): string {
  const items = valueAt(openDocument(text).value, list)
  const length = (Array.isArray(items) ? items.length : 0) + 1
  return repoint(text, { list, length, placeOf: (at) => (at < index ? at : at + 1) })
}

/** The reference, where the stream is nothing else; a stream with its own members is copied with them. */
function referenceOf(item: unknown): string | null {
  if (isReference(item)) return item
  const isBare = hasReference(item) && Object.keys(item).length === 1
  return isBare && isReference(item.$ref) ? item.$ref : null
}

function freeKey(parent: unknown, name: string): string {
  const taken = (key: string) => isObject(parent) && Object.hasOwn(parent, key)
  const plain = name.replaceAll('/', '_') || 'stream'
  let key = plain
  for (let count = 2; taken(key); count++) key = `${plain}_${count}`
  return key
}

/**
 * Renames it everywhere: in the stream, in its `$parameters`, in `check`, in copies of it that are parents, and in the builder's
 * metadata. References go by place, so they follow by themselves.
 */
export function renameStream(text: string, path: Path, name: string): string {
  const before = streamsIn(openDocument(text).value).find((stream) => isSamePath(stream.path, path))
  if (before === undefined || before.name === name) return text
  let now = named(text, path, name)
  const names = follow(openDocument(now).value, ['check', 'stream_names'])
  if (Array.isArray(names.value)) {
    for (const [index, checked] of names.value.entries()) {
      if (checked === before.name) now = setIn(now, [...names.writtenAt, index], name)
    }
  }
  for (const at of namesOf(openDocument(now).value, before.name)) now = setIn(now, at, name)
  for (const notes of notesOn(openDocument(now).value, before.name)) now = renameKey(now, notes, name)
  return now
}

/** Where else the name is written: in copies of the stream that are parents, and in the check of templates of streams. */
function namesOf(root: unknown, name: string): Path[] {
  const found = new Map<string, Path>()
  const look = (value: unknown, path: Path): void => {
    if (Array.isArray(value)) value.forEach((item, index) => look(item, [...path, index]))
    else if (isObject(value)) {
      if (path.at(-2) === 'parent_stream_configs') {
        const parent = follow(root, [...path, 'stream', 'name'])
        if (parent.value === name) found.set(pointerOf(parent.writtenAt), parent.writtenAt)
      }
      if (value.dynamic_stream_name === name) found.set(pointerOf(path), [...path, 'dynamic_stream_name'])
      for (const [key, member] of Object.entries(value)) look(member, [...path, key])
    }
  }
  look(root, [])
  return [...found.values()]
}

function named(text: string, path: Path, name: string): string {
  const root = openDocument(text).value
  const old = streamsIn(root).find((stream) => isSamePath(stream.path, path))?.name
  const own = follow(root, [...path, 'name']).value
  const parameter = follow(root, [...path, '$parameters', 'name']).value
  const isParameter = typeof parameter === 'string' && (parameter === old || own === undefined)
  // For a template, or without a name, the parameter is renamed.
  const isWritten = typeof own === 'string' ? !(isParameter && own.includes('{{')) : !isParameter
  let now = isParameter ? setResolved(text, [...path, '$parameters', 'name'], name) : text
  if (isWritten) now = setResolved(now, [...path, 'name'], name)
  // The two streams of a StateDelegatingStream have one name.
  for (const part of ['full_refresh_stream', 'incremental_stream']) {
    const place = [...path, part, 'name']
    if (old !== undefined && follow(root, place).value === old) now = setResolved(now, place, name)
  }
  return now
}

/** Definitions that are no longer used stay. A stream that something refers to, such as its substreams, becomes one. */
export function removeStream(text: string, path: Path): string {
  const stream = streamsIn(openDocument(text).value).find((one) => isSamePath(one.path, path))
  if (stream === undefined) return text
  let now = removeResolved(withoutUseOf(text, path, stream.name), path)
  const names = follow(openDocument(now).value, ['check', 'stream_names'])
  if (Array.isArray(names.value)) {
    const index = names.value.indexOf(stream.name)
    if (index >= 0) now = removeIn(now, [...names.writtenAt, index])
  }
  for (const notes of notesOn(openDocument(now).value, stream.name)) now = removeIn(now, notes)
  return checkingSome(now)
}

/** What refers to the stream refers to its definition; what refers to those below it counts one less. */
function withoutUseOf(text: string, path: Path, name: string): string {
  const root = openDocument(text).value
  const { writtenAt: list } = follow(root, path.slice(0, -1))
  const index = Number(path.at(-1))
  const items = valueAt(root, list)
  if (!Array.isArray(items)) return text
  const length = items.length - 1
  if (!isReferredTo(root, [...list, index]))
    return repoint(text, { list, length, placeOf: (at) => (at > index ? at - 1 : at) })
  const item: unknown = items[index]
  const key = freeKey(valueAt(root, ['definitions']), name)
  const target = referenceOf(item) === null ? null : targetPath(root, referenceOf(item) as string)
  const reference = target === null || isIn(list, target) ? null : referenceOf(item)
  const defined = reference === null ? setIn(text, ['definitions', key], item) : text
  const instead = reference ?? `#/definitions/${key}`
  return repoint(defined, { list, length, placeOf: (at) => (at === index ? instead : at > index ? at - 1 : at) })
}

/** Moves a stream to its index in the result. */
export function moveStream(text: string, path: Path, to: number): string {
  const root = openDocument(text).value
  const { writtenAt: list } = follow(root, path.slice(0, -1))
  const from = Number(path.at(-1))
  const items = valueAt(root, list)
  if (!Array.isArray(items) || !(from in items)) return text
  const order = [...items.keys()].toSpliced(from, 1).toSpliced(to, 0, from)
  const repointed = repoint(text, { list, length: items.length, placeOf: (at) => order.indexOf(at) })
  return moveItem(repointed, list, from, to)
}

/** A check that reads no stream proves nothing: it reads the first one. */
function checkingSome(text: string): string {
  const root = openDocument(text).value
  const first = streamsIn(root).find(({ kind }) => kind === 'written')
  if (first === undefined) return text
  const check = follow(root, ['check'])
  if (check.value === undefined) return setIn(text, ['check'], { type: 'CheckStream', stream_names: [first.name] })
  const isCheckStream = isObject(check.value) && check.value.type === 'CheckStream'
  const { value: names } = follow(root, ['check', 'stream_names'])
  const isEmpty = names === undefined || (Array.isArray(names) && names.length === 0)
  return isCheckStream && isEmpty ? setResolved(text, ['check', 'stream_names'], [first.name]) : text
}

/** Airbyte's builder stores metadata per stream, by name. */
const noteBooks: readonly Path[] = [
  ['metadata', 'autoImportSchema'],
  ['metadata', 'testedStreams'],
  ['metadata', 'yamlComponents', 'streams'],
]

function notesOn(root: unknown, name: string): Path[] {
  return noteBooks.map((book) => [...book, name]).filter((path) => valueAt(root, path) !== undefined)
}

function isIn(holder: Path, path: Path): boolean {
  return holder.every((key, at) => key === path[at])
}

function isSamePath(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((key, at) => key === other[at])
}
