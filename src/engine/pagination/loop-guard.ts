/** Pages of one slice, in order → an error once the walk goes in circles. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import { stringifyJson } from '../../std/json.ts'
import type { Hash } from '../../std/hashing/hash.ts'
import type { JsonRecord } from '../plan/plan.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { type Fingerprint, fingerprint, requestFingerprint, thoroughFingerprint } from './fingerprint.ts'
import { openWalkMemory, type WalkMemory } from './page-memory.ts'
import type { KeyPaths } from './record-key.ts'
import { describeRun, goOn, range, type Repeat, type Run } from './repetition.ts'

export type GuardedPage = {
  readonly request: HttpRequest
  readonly received: readonly JsonRecord[]
  /** Whether the API counts more records than have come so far; worked out only where it matters. */
  readonly countsMore?: () => boolean
}

/** Tells the guard about a page that another one is to follow; throws when the walk can never end. */
export type LoopGuard = (page: GuardedPage) => void

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

export type GuardOptions = {
  readonly streamName: string
  readonly primaryKey: KeyPaths
  readonly at: SourceLocation
  readonly memory?: WalkMemory
  /** Told once, long before the read is ended. */
  readonly warn?: (text: string) => void
}

export function createLoopGuard(options: GuardOptions): LoopGuard {
  const { streamName, primaryKey, at, memory = openWalkMemory(), warn } = options
  const { contents, wholeContents, emptyRequests } = memory
  const empty = { pages: 0, again: 0 }
  let run: Run | null = null
  let page = 0
  let hasEqualRows = false
  let isWarned = false

  const loop = (evidence: string, hint: string) =>
    new ConnectorError('pagination/loop', `Stream "${streamName}" does not end: ${evidence}.`, { at, hint })

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
    throw loop(`${range(page - empty.pages + 1, page)} are empty`, hints.empty)
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

  return ({ request, received, countsMore = () => false }) => {
    page++
    const asked = requestFingerprint(request)
    // An empty page neither repeats others nor brings anything new: it leaves a run of repeats as it is.
    if (received.length === 0) return seeEmpty(asked, countsMore)
    empty.pages = 0
    empty.again = 0
    const print = fingerprint(received, primaryKey)
    hasEqualRows ||= print.hasEqualRows
    const repeat = repeatOf(received, asked, print)
    // A scroll API keeps one token and brings new records; a page that repeats by chance is followed by a new one.
    run = repeat === null ? null : goOn(run, repeat)
    if (run === null) return
    const isTelling = print.isIdentity || !(hasEqualRows || areAllAlike(received))
    if (run.pages < patienceWith(received, isTelling, run.isSameRequests)) return
    throw loop(describeRun(run), run.isSameRequests ? hints.sameRequests : hints.otherRequests)
  }
}

const hints = {
  sameRequests: 'Check the pagination: the next request must differ and bring new records.',
  otherRequests: 'Check the name and the place of the page token: the API answers as if it did not read it.',
  empty:
    'Check the stop condition: the pages have no records, and each still names a next one. `turnleaf diagnose` finds a condition that ends the read.',
}

/** `isTelling`: a row that comes again is the same row, not one that is alike. */
function patienceWith(received: readonly JsonRecord[], isTelling: boolean, isSameRequest: boolean): number {
  if (!isTelling) return patience.equalRows
  if (received.length === 1) return patience.oneRow
  return isSameRequest ? patience.sameRequest : patience.otherRequest
}

/** A page of one row without identity is alike to itself. */
function areAllAlike(received: readonly JsonRecord[]): boolean {
  const first = stringifyJson(received[0])
  return received.every((record) => stringifyJson(record) === first)
}
