/** Pages of one slice, in order → an error when pagination loops. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import { stringifyJson } from '../../std/json.ts'
import { Hash } from '../../std/hashing/hash.ts'
import type { JsonRecord } from '../plan/plan.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { type LoopMemory, openLoopMemory } from './page-memory.ts'
import { assumedKey } from './assumed-key.ts'
import { type KeyPaths, hashKey } from './record-key.ts'
import { isObject } from '../../std/values/objects.ts'
import { count, number } from '../../std/text/format-count.ts'
import { plainLetters } from '../../std/text/plain-letters.ts'

export type GuardedPage = {
  /** Null where records came without a request. */
  readonly request: HttpRequest | null
  readonly received: readonly JsonRecord[]
  /** Whether the API counts more records than have come so far; worked out only where it matters. */
  readonly countsMore?: () => boolean
  /** Whether far more records have come than the API counts. */
  readonly countsFewer?: () => boolean
}

/** Called for each page that has a next one; throws when pagination can never end. */
type LoopGuard = (page: GuardedPage) => void

/**
 * How many pages in a row may bring nothing but what earlier pages brought. A cached or slow-moving API answers so once
 * or twice. Rows without identity that are alike prove nothing by repeating: only a very long run of them is a loop.
 */
const patience = { sameRequest: 2, otherRequest: 3, oneRow: 10, equalRows: 1_000 }

/**
 * Empty pages in a row: a scroll may wait for data, an API that scans by time or shard sends many with new cursors. One that
 * counts records which have not come yet is given more time.
 */
const emptyPages = { warned: 10, sameRequest: 100, otherRequest: 1_000, withMoreToCome: 10_000 }

type GuardOptions = {
  readonly streamName: string
  readonly primaryKey: KeyPaths
  readonly at: SourceLocation
  readonly memory?: LoopMemory
  /** Called once, long before the read is ended. */
  readonly warn?: (text: string) => void
  /** The custom class that reads the pages. It may request the same records day by day: only the same request shows a loop soon. */
  readonly byClass?: string
}

export function createLoopGuard(options: GuardOptions): LoopGuard {
  const { streamName, primaryKey, at, memory = openLoopMemory(), warn, byClass } = options
  const { contents, wholeContents, emptyRequests } = memory
  const empty = { pages: 0, again: 0 }
  let run: RepeatedRun | null = null
  let page = 0
  let hasEqualRows = false
  let isWarned = false

  const loop = (evidence: string, hint: string) =>
    new ConnectorError('pagination/loop', `Stream "${streamName}" does not end: ${evidence}.`, { at, hint })

  const hintOf = (kind: keyof typeof hints) =>
    byClass === undefined ? hints[kind] : `Check where \`${byClass}\` ends: its pages bring nothing new.`

  const seeEmpty = (asked: Hash, countsMore: () => boolean) => {
    empty.pages++
    if (empty.pages === emptyPages.warned && !isWarned) {
      isWarned = true
      warn?.(
        `Pages ${page - empty.pages + 1} to ${page} are empty, and each names a next one. If nothing follows, the stop condition is wrong.`,
      )
    }
    // A request seen before, alone or in a circle with others.
    empty.again = emptyRequests.see(asked, 0, page) === null ? 0 : empty.again + 1
    if (empty.again < emptyPages.sameRequest) {
      if (empty.pages <= emptyPages.otherRequest) return
      if (empty.pages <= emptyPages.withMoreToCome && countsMore()) return
    }
    throw loop(`${range(page - empty.pages + 1, page)} are empty`, hintOf('empty'))
  }
  /** The earlier page with the same records; the cheap comparison comes first, the thorough one where it says yes. */
  const repeatOf = (received: readonly JsonRecord[], asked: Hash, { hash, isIdentity }: Fingerprint): Repeat | null => {
    let seen = contents.see(hash, asked.low, page)
    // Of pages that are kept for longer, both are.
    if (!isIdentity && (seen !== null || contents.isAnchor(page))) {
      seen = wholeContents.see(thoroughFingerprint(received), asked.low, page)
    }
    return seen === null ? null : { page, earlier: seen.place, isSameRequest: seen.isSameMark }
  }

  return ({ request, received, countsMore = () => false, countsFewer = () => false }) => {
    page++
    const asked = request === null ? new Hash().start(page).end() : requestFingerprint(request)
    // An empty page neither repeats others nor brings anything new: it leaves a run of repeats as it is.
    if (received.length === 0) return seeEmpty(asked, countsMore)
    empty.pages = 0
    empty.again = 0
    // Records without a key may carry an `id` of something else: it counts only where there can be no more records.
    const paths = primaryKey.length === 0 && countsFewer() ? assumedKey(received) : primaryKey
    const print = recordsFingerprint(received, paths)
    hasEqualRows ||= print.hasEqualRows
    const repeat = repeatOf(received, asked, print)
    // A scroll API keeps one token and brings new records; a page that repeats by chance is followed by a new one.
    run = repeat === null ? null : extendRun(run, repeat)
    if (run === null) return
    const isTelling = byClass === undefined || run.isSameRequests
    const isDistinctive = isTelling && (print.isIdentity || !(hasEqualRows || areAllAlike(received)))
    if (run.pages < patienceWith(received, isDistinctive, run.isSameRequests)) return
    throw loop(describeRun(run, request !== null), hintOf(run.isSameRequests ? 'sameRequests' : 'otherRequests'))
  }
}

const hints = {
  sameRequests: 'Check the pagination: the next request must differ and bring new records.',
  otherRequests: 'Check the name and the place of the page token: the API responds as if it did not read it.',
  empty:
    'Check the stop condition: the pages have no records, and each still names a next one. `npx turnleaf diagnose` finds a condition that ends the read.',
}

/** `isDistinctive`: a row that comes again is the same row, not one that is alike. */
function patienceWith(received: readonly JsonRecord[], isDistinctive: boolean, isSameRequest: boolean): number {
  if (!isDistinctive) return patience.equalRows
  if (received.length === 1) return patience.oneRow
  return isSameRequest ? patience.sameRequest : patience.otherRequest
}

/** A page of one row without identity is alike to itself. */
function areAllAlike(received: readonly JsonRecord[]): boolean {
  const first = stringifyJson(received[0])
  return received.every((record) => stringifyJson(record) === first)
}

/** Names under which APIs count all records, in letters only. */
const totals =
  /^(x?total|x?totalcount|totalresults|totalrecords|totalitems|totalelements|totalentries|totalhits|totalsize|odatacount|inlinecount|nbhits|numfound)$/

/** An object with more members is no envelope. */
const mostMembers = 100

/**
 * Checks only the top of the body and the objects there. A number that counts something else merely lets a read go
 * further before it is ended.
 */
export function reportsMore(body: unknown, headers: Readonly<Record<string, string>>, received: number): boolean {
  return hasTotal(body, headers, (total) => total > received)
}

/** Whether at least twice as many have come as the API counts. A number no larger than the page may be the size of that. */
export function reportsFewer(
  body: unknown,
  headers: Readonly<Record<string, string>>,
  { received, onPage }: { readonly received: number; readonly onPage: number },
): boolean {
  return hasTotal(body, headers, (total) => total > onPage && received >= 2 * total)
}

function hasTotal(
  body: unknown,
  headers: Readonly<Record<string, string>>,
  isMeant: (total: number) => boolean,
): boolean {
  const envelopes = isObject(body) ? [body, ...Object.values(body).filter(isObject)] : []
  return [headers, ...envelopes].some((members) => {
    const names = Object.keys(members)
    return names.length <= mostMembers && names.some((name) => isTotal(name) && isMeant(Number(members[name])))
  })
}

function isTotal(name: string): boolean {
  return totals.test(plainLetters(name))
}

/** A page with the records of an earlier one. */
type Repeat = {
  readonly page: number
  readonly earlier: number
  readonly isSameRequest: boolean
}

/** Repeats with nothing new between them. */
type RepeatedRun = {
  readonly pages: number
  readonly first: number
  readonly last: number
  /** How far back the pages were seen; null when it differs, so that they come in no order. */
  readonly distance: number | null
  /** The earlier page of the latest. */
  readonly earlier: number
  /** Whether each had the same request as before. */
  readonly isSameRequests: boolean
}

/** `run` is null before the first repeat. */
function extendRun(run: RepeatedRun | null, { page, earlier, isSameRequest }: Repeat): RepeatedRun {
  const distance = page - earlier
  if (run === null) return { pages: 1, first: page, last: page, distance, earlier, isSameRequests: isSameRequest }
  return {
    pages: run.pages + 1,
    first: run.first,
    last: page,
    distance: run.distance === distance ? distance : null,
    earlier,
    isSameRequests: run.isSameRequests && isSameRequest,
  }
}

/** `pages 3 to 7 repeat pages 1 to 5, requests too: a cycle of 5 pages` */
function describeRun({ first, last, distance, earlier, isSameRequests }: RepeatedRun, hasRequest: boolean): string {
  if (distance === null)
    return `${range(first, last)} bring only records of earlier pages, such as page ${number(earlier)}`
  const start = first - distance
  const repeated = range(start, Math.min(first - 1, last - distance))
  const requests = isSameRequests ? ', requests too' : hasRequest ? ', though the requests differ' : ''
  const cycle = distance === 1 ? '' : `: a cycle of ${count(distance, 'page')}`
  return `${range(first, last)} repeat ${repeated}${requests}${cycle}`
}

/** `page 3`, `pages 3 to 7` */
function range(first: number, last: number): string {
  return first === last ? `page ${number(first)}` : `pages ${number(first)} to ${number(last)}`
}

type Fingerprint = {
  readonly hash: Hash
  /** The hash names every record by its identity: equal hashes are the same records, whatever else changed in them. */
  readonly isIdentity: boolean
  /** The first row and the last are the same: rows of this API come again within a page, so that pages may come again, too. */
  readonly hasEqualRows: boolean
}

/**
 * Where the stream declares a primary key, records are identified by it, in any order. Of others the
 * count, the first and the last must do: reading all would cost as much as decoding the page.
 */
function recordsFingerprint(received: readonly JsonRecord[], primaryKey: KeyPaths): Fingerprint {
  const identities = primaryKey.length === 0 ? null : identitiesOf(received, primaryKey)
  if (identities !== null) return { hash: identities, isIdentity: true, hasEqualRows: false }
  const first = stringifyJson(received[0])
  const last = stringifyJson(received.at(-1))
  const hash = new Hash().start(received.length).add(first).add(last).end()
  return { hash, isIdentity: false, hasEqualRows: received.length > 1 && first === last }
}

/** Every record, whole. */
function thoroughFingerprint(received: readonly JsonRecord[]): Hash {
  return new Hash().start(received.length).add(stringifyJson(received)).end()
}

/** A sum does not mind the order. Null when a record has no value in its key, or neighbours often share one: it names a group of records. */
function identitiesOf(received: readonly JsonRecord[], paths: KeyPaths): Hash | null {
  const hash = new Hash()
  let low = 0
  let high = 0
  let [lowBefore, highBefore] = [0, 0]
  let shared = 0
  for (const record of received) {
    const key = hashKey(hash, record, paths)
    if (key === null) return null
    if (key.low === lowBefore && key.high === highBefore) shared++
    lowBefore = key.low
    highBefore = key.high
    low = (low + key.low) | 0
    high = (high + key.high) | 0
  }
  if (shared * mostShared > received.length) return null
  return hash.start(received.length).add(low).add(high).end()
}

/** One record in so many may share its key with another: APIs send single records twice. */
const mostShared = 10

function requestFingerprint({ method, url, headers, body }: HttpRequest): Hash {
  return new Hash()
    .start()
    .add(method)
    .add(url)
    .add(JSON.stringify(headers))
    .add(body ?? '')
    .end()
}
