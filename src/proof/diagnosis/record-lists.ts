/** A part of an answer → the lists in it that may be the records, the longest first, then the nearest to the top. */
import { isList, isObject, type Members } from '../../std/values/objects.ts'

export type RecordList = {
  /** As `field_path` has it; `*` stands for every member of a list. */
  readonly path: readonly string[]
  readonly length: number
}

const deepest = 5
const mostMembers = 100

/** What is next to records in many answers, or in their place when something went wrong. */
const beside =
  /^(errors?|warnings?|messages?|_?links?|facets?|filters?|aggregations?|buckets|columns|fields|headers|included|sorts?|suggestions|breadcrumbs|permissions|notices|schema|meta|metadata)$/i

export function recordListsIn(value: unknown): RecordList[] {
  const found: RecordList[] = []
  const visit = (inner: unknown, path: readonly string[]) => {
    if (beside.test(path.at(-1) ?? '')) return
    if (isList(inner)) {
      if (inner.length > 0 && inner.every(isObject)) found.push(listAt(inner, path))
      return
    }
    if (!isObject(inner) || path.length >= deepest || Object.keys(inner).length > mostMembers) return
    for (const [name, member] of Object.entries(inner)) visit(member, [...path, name])
  }
  visit(value, [])
  return found.toSorted((one, other) => other.length - one.length || one.path.length - other.path.length)
}

/** GraphQL wraps each record: `edges: [{ node: { … }, cursor }]`. */
function listAt(list: readonly Members[], path: readonly string[]): RecordList {
  const isEdges = list.every(({ node }) => isObject(node))
  return { path: isEdges ? [...path, '*', 'node'] : path, length: list.length }
}
