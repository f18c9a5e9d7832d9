/** A decoded body → the lists in it that may be the records, the most likely first. */
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { distinguishes } from '../../engine/pagination/assumed-key.ts'
import { plainName, wordsOf } from '../names/name-style.ts'

export type RecordList = {
  /** As `field_path` has it; `*` means every member of a list. */
  readonly path: readonly string[]
  readonly records: readonly Members[]
  readonly score: number
}

const deepest = 5

const usual = new Set(
  `data items results result records rows entries list values value objects content elements documents docs hits nodes edges
  collection resources payload response members entities`.split(/\s+/),
)

/** Lists next to the records in many responses. */
const notRecords = new Set(
  `errors error warnings warning messages message included includes facets facet aggregations filters filter links link sort
  sorts columns fields headers meta metadata notifications notices suggestions options tags breadcrumbs debug deprecations
  categories buckets permissions scopes related linked expansions schema stats`.split(/\s+/),
)

/** Whether lists of records are usually called so: `data`, `items`. */
export function isUsualListName(name: string): boolean {
  return usual.has(plainName(name))
}

/** Whether a list of this name is usually next to the records: `errors`, `facets`. */
export function isSideListName(name: string): boolean {
  return notRecords.has(plainName(name))
}

export function recordListsIn(body: unknown, streamName: string): RecordList[] {
  const found: RecordList[] = []
  const wanted = plainName(streamName)
  const visit = (value: unknown, path: readonly string[]) => {
    if (isList(value)) {
      const list = listOf(value, path, wanted)
      if (list !== null) found.push(list)
      return
    }
    if (!isObject(value) || path.length >= deepest) return
    for (const name of Object.keys(value)) visit(value[name], [...path, name])
  }
  visit(body, [])
  return found.toSorted((one, other) => other.score - one.score)
}

/** A list of strings, numbers or lists: no manifest makes records of it. */
export type BareList = {
  readonly path: readonly string[]
  readonly values: readonly unknown[]
  readonly score: number
}

/** Lists of anything but objects that may be what the URL is about, the most likely first. */
export function bareListsIn(body: unknown, streamName: string): BareList[] {
  const found: BareList[] = []
  const wanted = plainName(streamName)
  const visit = (value: unknown, path: readonly string[], isAlone: boolean) => {
    if (isList(value)) {
      const name = plainName(path.at(-1) ?? '')
      const isNamedSo = path.length === 0 || usual.has(name) || isNameAlike(name, wanted)
      if ((isNamedSo || isAlone) && value.length > 0 && !value.every(isObject))
        found.push({ path, values: value, score: scoreOf(path, [], wanted) + scoreOfLength(value.length) })
      return
    }
    if (!isObject(value) || path.length >= deepest) return
    const names = Object.keys(value)
    // A thing has other fields next to its list; an envelope has none.
    const hasFields = names.some((name) => !isList(value[name]) && !isObject(value[name]))
    for (const name of names) visit(value[name], [...path, name], isAlone && !hasFields)
  }
  visit(body, [], true)
  return found.toSorted((one, other) => other.score - one.score)
}

function scoreOfLength(length: number): number {
  return 6 + Math.min(4, length / 5)
}

/** Enough to rank below every list that may be the records, even an empty one. */
const farBelow = 50

function listOf(value: readonly unknown[], path: readonly string[], wanted: string): RecordList | null {
  const objects = value.filter(isObject)
  // The engine reads objects; a list of names or numbers is a field of something.
  if (objects.length < value.length) return null
  const isEdges = objects.length > 0 && objects.every((one) => isObject(one.node))
  const records = isEdges ? objects.map(({ node }) => node as Members) : objects
  return {
    path: isEdges ? [...path, '*', 'node'] : path,
    records,
    score: scoreOf(path, records, wanted),
  }
}

function scoreOf(path: readonly string[], records: readonly Members[], wanted: string): number {
  const name = plainName(path.at(-1) ?? '')
  let score = 0
  if (path.length === 0) score += 20
  if (usual.has(name)) score += 8
  const isWanted = isNameAlike(name, wanted)
  if (isWanted) score += 10
  if (!isWanted && path.some((part) => notRecords.has(plainName(part)))) score -= farBelow
  if (records.length > 0) score += scoreOfLength(records.length)
  if (records.some((one) => Object.keys(one).some((key) => /(^|_)(id|uuid|key|sku|slug)$|Id$/i.test(key)))) score += 4
  // Things have more to say than a facet's name and count.
  score += Math.min(3, Object.keys(records[0] ?? {}).length / 2)
  return score - path.length
}

/** `/v1/users` → `users`, `user_list`. */
export function isNameAlike(name: string, wanted: string): boolean {
  if (wanted.length < 3 || name === '') return false
  const stem = wanted.replace(/(ies|es|s)$/, '')
  return name.startsWith(stem) && name.length <= wanted.length + 6
}

/** What is at a path found before: a page may be empty, and the last one may leave the list out. */
export function recordsAt(body: unknown, path: readonly string[]): readonly Members[] | null {
  let value: unknown = body
  for (const name of path) {
    if (name === '*') {
      const list: readonly unknown[] = isList(value) ? value : []
      return list.flatMap((edge) => (isObject(edge) && isObject(edge.node) ? [edge.node] : []))
    }
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  return isList(value) ? value.filter(isObject) : null
}

/** The field that identifies a record; null where there is none. */
export function idField(records: readonly Members[]): string | null {
  const names = Object.keys(records[0] ?? {})
  const ranked = names
    .map((name) => ({ name, rank: identifierRank(name) }))
    .filter(({ rank }) => rank < 9)
    .toSorted((one, other) => one.rank - other.rank)
  return ranked.find(({ name }) => distinguishes(records, name))?.name ?? null
}

/** How likely a field of this name identifies its record: 0 is `id`, 9 is no identifier. */
export function identifierRank(name: string): number {
  if (name === 'id') return 0
  const words = wordsOf(name)
  if (words.length === 1 && words[0] === 'id') return 1
  if (words.length === 1 && /^(uuid|guid|gid|uid|pk|key|sku|slug|code|ref|number|handle)$/.test(words[0] ?? ''))
    return 2
  if (/^(id|uuid|guid|key|sku)$/.test(words.at(-1) ?? '')) return 3
  return 9
}
