/** One page → all its claims, in the headers and around the records. */
import { followPath } from '../../std/values/get-at.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import { envelopesIn, listsIn } from './envelopes.ts'
import { claimsIn, type Found } from './envelope-claims.ts'
import { wholeNumber } from './response-place.ts'
import { claimsInHeaders } from './header-claims.ts'
import { lastLinks } from './last-link.ts'
import { declaredClaims } from './declared/declared-claims.ts'
import type { ClaimRules, PageFacts } from './page-facts.ts'
import { positionIn } from './page-order.ts'
import { Float } from '../../std/json.ts'
import { meaningsOf } from '../names/claim-names.ts'

/** The rules that say where to read claims. */
type PageClaimRules = Pick<ClaimRules, 'recordPath' | 'countsRecords' | 'declared'>

export function pageClaims(page: PageFacts, { recordPath, countsRecords, declared }: PageClaimRules): Found {
  const { body, headers, isError, receivedCount } = page
  // A response that an error rule treats as the end is about the error.
  if (isError) return { numbers: [], nexts: [], previous: [], starts: [] }
  const isMissing = page.list === 'missing'
  const envelopes = envelopesIn(body, recordPath, isMissing)
  // The path says that the body is the record, but it holds a list like an envelope: only claims of more records count.
  const inner = recordPath?.length === 0 && isObject(body) ? listsIn(body)[0] : undefined
  // What the manifest reads comes first; names are evidence where it reads nothing.
  const found = [
    declaredClaims(page, declared),
    claimsInHeaders(headers),
    ...envelopes.map((envelope) => claimsIn(envelope)),
  ]
  const byLinks = lastLinks(headers, envelopes, receivedCount)
  const list = inner ?? followPath(body, recordPath ?? [])
  // Next to a single thing, a number counts anything but records.
  const mayCount = countsRecords && !isObject(list) && (isMissing || countsAlike(page, recordPath))
  const numbers = mayCount ? [...found.flatMap((one) => one.numbers), ...byLinks] : []
  return {
    numbers: numbers
      .slice(0, mostNumbers)
      .filter(({ value }) => !isSumOf(list, value) && (inner === undefined || value > inner.length)),
    nexts: found.flatMap(({ nexts }) => nexts).filter(({ says }) => inner === undefined || says === 'more'),
    previous: found.flatMap(({ previous }) => previous),
    starts: found.flatMap(({ starts }) => starts),
    position: positionIn(envelopes),
  }
}

/** With `edges.*.node`, whether each member of the list is one record, as a total would count them. */
function countsAlike({ body, receivedCount }: PageFacts, recordPath: readonly string[] | null): boolean {
  if (recordPath === null || !recordPath.includes('*')) return true
  const holder = followPath(body, recordPath.slice(0, recordPath.indexOf('*')))
  return (isList(holder) || isObject(holder)) && Object.keys(holder).length === receivedCount
}

/** Each is compared with every record, so their number is bounded. */
const mostNumbers = 32

/** Whether it adds up a field of the records: a sum of money, not a count. */
function isSumOf(list: unknown, value: number): boolean {
  if (!isList(list) || value <= list.length) return false
  const [first] = list
  if (!isObject(first)) return false
  return Object.keys(first).some((name) => {
    // Other numbers add up to anything by chance: the ids 1 to 5 to 15.
    if (!addable.test(name)) return false
    let sum = 0
    for (const record of list) sum += isObject(record) && typeof record[name] === 'number' ? record[name] : 0
    // Sums of cents come out a hair apart.
    return Math.abs(sum - value) < 0.005
  })
}

const addable = /amount|price|total|cost|fee|tax|balance|cents|value|sum|revenue|quantity/i

/** `total: 12.5` counts no records, even where the next page says `total: 25`. */
export function hasSum({ body }: PageFacts, { recordPath }: ClaimRules): boolean {
  return envelopesIn(body, recordPath).some(({ members }) =>
    Object.keys(members).some(
      (name) => isFraction(members[name]) && meaningsOf(name).some(({ kind }) => kind === 'total'),
    ),
  )
}

function isFraction(value: unknown): boolean {
  return (typeof value === 'number' || value instanceof Float) && wholeNumber(value) === null
}
