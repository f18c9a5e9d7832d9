/** A response → rows that show its shape, and which of its places can hold records. */
import { isList, isObject } from '../../../std/values/objects.ts'
import { stringifyJson } from '../../../std/json.ts'

export type ResponseRow = {
  readonly path: readonly string[]
  /** The last name of the path; null for the response as a whole. */
  readonly name: string | null
  readonly kind: 'list' | 'object' | 'value'
  /** What is there: "list of 100 objects". */
  readonly words: string
  /** A list of objects, which is what records come in. */
  readonly isLikely: boolean
  /** Of a value, the value itself. */
  readonly value?: unknown
  readonly canOpen: boolean
  readonly isOpen: boolean
}

/** Rows from top to bottom. Of a list one item is shown, since the others look like it. `turned` are those opened or closed by hand. */
export function treeRows(body: unknown, turned: ReadonlySet<string>): ResponseRow[] {
  const rows: ResponseRow[] = []
  const add = (value: unknown, path: readonly string[], name: string | null): void => {
    const children = childrenOf(value)
    const startsOpen = path.length < 3 && !isList(value)
    const isOpen = children.length > 0 && startsOpen !== turned.has(pathKey(path))
    rows.push({ path, name, ...described(value), canOpen: children.length > 0, isOpen })
    if (isOpen) for (const [key, child] of children) add(child, [...path, key], key)
  }
  add(body, [], null)
  return rows
}

export function pathKey(path: readonly string[]): string {
  return JSON.stringify(path)
}

function childrenOf(value: unknown): [string, unknown][] {
  if (isObject(value)) return Object.entries(value)
  if (!isList(value)) return []
  const sample = value.find((item) => isObject(item) || isList(item))
  return sample === undefined ? [] : [['*', sample]]
}

function described(value: unknown): Pick<ResponseRow, 'kind' | 'words' | 'isLikely' | 'value'> {
  if (isList(value)) {
    const isLikely = value.length > 0 && value.every(isObject)
    const what = isLikely ? countOf(value.length, 'object') : countOf(value.length, 'value')
    return { kind: 'list', words: value.length === 0 ? 'empty list' : `list of ${what}`, isLikely }
  }
  if (isObject(value)) return { kind: 'object', words: countOf(Object.keys(value).length, 'field'), isLikely: false }
  return { kind: 'value', words: stringifyJson(value).slice(0, 80), isLikely: false, value }
}

function countOf(count: number, what: string): string {
  return `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`
}
