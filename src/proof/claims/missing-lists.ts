/** A page → whether its list of records is there and holds records: missing, null, a map or an error in its place. */
import { followPath } from '../../std/values/get-at.ts'
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { isHollow, isMessage } from '../../engine/response/error-body.ts'
import { memberCount } from '../../std/values/find-list.ts'
import { isThing } from '../names/claim-names.ts'
import { envelopesIn, listsIn } from './envelopes.ts'
import { pageClaims } from './page-claims.ts'
import type { FoundNext } from './envelope-claims.ts'
import type { ClaimRules, PageFacts } from './page-facts.ts'
import type { Claims } from './merge-claims.ts'

export function missingLists(
  before: Claims,
  { list, body }: PageFacts,
  { recordPath }: ClaimRules,
  page: number,
): Pick<Claims, 'withoutList'> {
  const known = before.withoutList
  if (list === 'missing') {
    const hasOther = known?.hasOther === true || hasThings(body, recordPath ?? [])
    const isKept = before.envelope !== undefined && isKeptEnvelope(body, before.envelope, recordPath ?? [])
    const pages = (known?.pages ?? 0) + 1
    return { withoutList: { pages, first: known?.first ?? page, isLast: true, hasOther, ...(isKept && { isKept }) } }
  }
  return known === undefined ? {} : { withoutList: { ...known, isLast: false } }
}

export function nullLists(before: Claims, page: PageFacts, number: number): Pick<Claims, 'nullLists' | 'nullBefore'> {
  const pages = (before.nullLists ?? 0) + (page.list === 'null' && !page.isError ? 1 : 0)
  if (pages === 0) return {}
  const nullBefore = before.nullBefore ?? (page.receivedCount > 0 ? number - 1 : undefined)
  return { nullLists: pages, ...(nullBefore !== undefined && { nullBefore }) }
}

export function isPartial(page: PageFacts, rules: ClaimRules): boolean {
  const { body, receivedCount } = page
  const { recordPath, countsRecords } = rules
  if (recordPath === null || !countsRecords) return false
  const star = recordPath.indexOf('*')
  if (star !== -1) {
    // Only a path that names one thing of each member says how many there should be.
    return (
      star === recordPath.lastIndexOf('*') &&
      star < recordPath.length - 1 &&
      memberCount(followPath(body, recordPath.slice(0, star))) > receivedCount
    )
  }
  // Members that are nothing are left out.
  if (recordPath.length === 0 && isList(body)) return body.includes(null) || isHollow(body[0])
  if (receivedCount !== 1) return false
  const found = followPath(body, recordPath)
  if (!isObject(found) || isThing(found)) return false
  if (recordPath.length === 0) return isMap(found) || isOnlyList(found) || namesItsNext(page, rules)
  return isMessage(found) || listsIn(found).length > 0 || isMap(found)
}

export function isMapInPlace({ body, receivedCount }: PageFacts, { recordPath, countsRecords }: ClaimRules): boolean {
  if (recordPath === null || recordPath.includes('*') || !countsRecords || receivedCount !== 1) return false
  const found = followPath(body, recordPath)
  return isObject(found) && !isThing(found) && isMap(found)
}

/** Records by their keys, in place of a list of them. */
function isMap(found: Members): boolean {
  const names = Object.keys(found)
  return names.length > 0 && names.every((name) => isObject(found[name]))
}

function isOnlyList(found: Members): boolean {
  return listsIn(found).length === 1 && Object.keys(found).length === 1
}

/** A list, and next to it the next page: this is the response around the records, taken for a record. */
function namesItsNext(page: PageFacts, rules: ClaimRules): boolean {
  const isAroundList = envelopesIn(page.body, []).length > 0
  return isAroundList && pageClaims(page, rules).nexts.some(({ place: [from] }) => from === 'body')
}

/** Another list, or a map of objects in place of the list: the page may hold records. */
function hasThings(body: unknown, path: readonly string[]): boolean {
  const found = followPath(body, path)
  return hasOtherList(body, path) || (path.length > 0 && isObject(found) && isMap(found))
}

/** Around the place where the list should be. */
function hasOtherList(body: unknown, path: readonly string[]): boolean {
  const holders = [body, ...path.slice(0, -1).map((_, index) => followPath(body, path.slice(0, index + 1)))]
  return holders.some((holder) => isObject(holder) && listsIn(holder).length > 0)
}

/** An object with more members is no envelope. */
const mostNames = 20

/**
 * What is next to the list and the token on the first page, where the body itself holds both; null where nothing else is there to know
 * the envelope by. Google leaves out the list with the token: `{ "kind": "…", "etag": "…" }` is the end. QuickBooks empties the
 * object that holds the list: `{ "QueryResponse": {}, "time": "…" }`.
 */
export function envelopeNames(body: unknown, recordPath: readonly string[] | null, nexts: readonly FoundNext[]) {
  if (!isObject(body) || recordPath === null || recordPath.length === 0 || recordPath.length > 2) return null
  const tokens = nexts.flatMap(({ place, says }) => (says === 'more' && place.length === 2 ? [place[1]] : []))
  const names = Object.keys(body)
  if ((tokens.length === 0 && recordPath.length === 1) || names.length > mostNames) return null
  const others = names.filter((name) => name !== recordPath[0] && !tokens.includes(name))
  return others.length === 0 ? null : others
}

/** Everything is still there, and nothing came that could hold the records under another name. */
function isKeptEnvelope(body: unknown, names: readonly string[], [holder = '', ...inner]: readonly string[]): boolean {
  if (!isObject(body) || !names.every((name) => Object.hasOwn(body, name))) return false
  const isEmptied = inner.length > 0 && isHollow(body[holder])
  if (inner.length > 0 && !isEmptied) return false
  return Object.keys(body).every(
    (name) => names.includes(name) || (isEmptied && name === holder) || !mayHold(body[name]),
  )
}

function mayHold(value: unknown): boolean {
  return isList(value) ? value.length > 0 : isObject(value)
}
