/** Part of a response → its lists of objects, which may be the records: the longest first, then the nearest to the top. */
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { isEnvelope, isThing } from '../names/claim-names.ts'
import { namedClaims } from './named-claims.ts'

export type ObjectList = {
  /** As `field_path` has it; `*` means every member of a list. */
  readonly path: readonly string[]
  readonly length: number
}

const deepest = 5
const mostMembers = 100

/** What is next to records in many responses, or in their place when something went wrong. */
const notRecords =
  /^(errors?|warnings?|messages?|_?links?|facets?|filters?|aggregations?|buckets|columns|fields|headers|included|sorts?|suggestions|breadcrumbs|permissions|notices|schema|meta|metadata)$/i

export function objectListsIn(value: unknown): ObjectList[] {
  const found: ObjectList[] = []
  const visit = (inner: unknown, path: readonly string[]) => {
    if (notRecords.test(path.at(-1) ?? '')) return
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
function listAt(list: readonly Members[], path: readonly string[]): ObjectList {
  const isEdges = list.every(({ node }) => isObject(node))
  return { path: isEdges ? [...path, '*', 'node'] : path, length: list.length }
}

/** The lists inside, the likeliest first; none where it may be a thing of its own, such as an invoice with its lines. */
export function listsInEnvelope(value: unknown): ObjectList[] {
  if (!isObject(value)) return []
  const lists = objectListsIn(value)
  const [best] = lists
  if (best === undefined) return []
  const { numbers, nexts } = namedClaims({ response: { body: value, headers: {} } }, listPath(best))
  const counts = numbers.some((one) => one.counts === 'pages' || (one.isNamed && one.value >= best.length))
  // An invoice has a total too, but no next page.
  return nexts.length > 0 || (!isThing(value) && (counts || hasOnlyList(value, best.path))) ? lists : []
}

/** What an envelope has next to its list, and a record of its own hardly: whether it went well, and which request it was. */
const statusNames =
  /^(ok|success(ful)?|status_?(code|text)|code|ret_?code|messages?|msg|errors?|error_?(code|message)|warnings?|version|api_?version|request_?id|trace_?id|time(stamp|_?taken)?|took|elapsed|duration|jsonrpc|object|kind|_?links?)$/i

/** Whether nothing but the list tells one response from another, on every level down to it: `{ status, data: { items: […] } }`. */
function hasOnlyList(value: Members, path: readonly string[]): boolean {
  let level: unknown = value
  for (const name of listPath({ path })) {
    if (!isObject(level)) return false
    const others = Object.entries(level).filter(([other]) => other !== name)
    if (!others.every(([other, member]) => isAboutResponse(other, member))) return false
    level = level[name]
  }
  return true
}

/** The status of an order is none of its response. */
function isAboutResponse(name: string, value: unknown): boolean {
  if (/^status$/i.test(name)) return typeof value !== 'string' || /^(ok|success|succeeded|200)$/i.test(value)
  return statusNames.test(name) || isEnvelope(name)
}

/** The path of the list itself: `edges`, where the records are at `edges.*.node`. */
function listPath({ path }: Pick<ObjectList, 'path'>): readonly string[] {
  const star = path.indexOf('*')
  return star === -1 ? path : path.slice(0, star)
}
