/** Pages of one slice, in order → an error once the walk goes in circles. */
import { ConnectorError, type SourceLocation } from '../../errors.ts'
import { stringifyJson } from '../../json.ts'
import type { JsonRecord } from '../plan/plan.ts'
import type { HttpRequest } from '../request/http-request.ts'
import { fingerprint, hash } from './fingerprint.ts'

export type GuardedPage = { readonly request: HttpRequest; readonly received: readonly JsonRecord[] }

/** Tells the guard about a page that another one is to follow; throws when the walk can never end. */
export type LoopGuard = (page: GuardedPage) => void

/** Pages remembered: older ones are forgotten, so that memory stays flat on an endless feed. */
const remembered = 50_000

/**
 * How many pages in a row may bring nothing but what earlier pages brought. A cached or slow-moving API answers so once
 * or twice. Rows without identity that are all alike prove nothing by repeating: only a very long run of them is a loop.
 */
const patience = { sameRequest: 2, otherRequest: 3, oneRow: 10, equalRows: 1_000 }

/** Empty pages in a row: a scroll may wait for data, an API that scans by time or shard sends many with new cursors. */
const emptyPages = { sameRequest: 100, otherRequest: 10_000 }

export type GuardOptions = {
  readonly streamName: string
  readonly primaryKey: readonly (readonly string[])[]
  readonly at: SourceLocation
}

export function createLoopGuard({ streamName, primaryKey, at }: GuardOptions): LoopGuard {
  const contents = new RecentMap()
  const exactContents = new RecentMap()
  const walks = new RecentMap()
  const run = { repeats: 0, empty: 0, emptyAgain: 0 }
  let pageNumber = 0

  /** The earlier page with the same records; the cheap comparison comes first, the thorough one where it says yes. */
  const earlierWith = (received: readonly JsonRecord[], key: string, isIdentity: boolean): number | null => {
    const earlier = contents.remember(key, pageNumber)
    if (earlier === null || isIdentity) return earlier
    return exactContents.remember(hash(stringifyJson(received)), pageNumber)
  }

  return ({ request, received }) => {
    pageNumber++
    const requestKey = keyOf(request)
    if (received.length === 0) {
      run.repeats = 0
      run.empty++
      // A request seen before, alone or in a circle with others.
      run.emptyAgain = walks.remember(`${requestKey} empty`, pageNumber) === null ? 0 : run.emptyAgain + 1
      if (run.emptyAgain >= emptyPages.sameRequest || run.empty > emptyPages.otherRequest) {
        throw loop(streamName, at, `the last ${run.empty} pages, up to page ${pageNumber}, were empty`)
      }
      return
    }

    run.empty = 0
    run.emptyAgain = 0
    const { key, isIdentity } = fingerprint(received, primaryKey)
    const earlier = earlierWith(received, key, isIdentity)
    const sameWalk = walks.remember(`${requestKey} ${key}`, pageNumber)
    run.repeats = earlier === null ? 0 : run.repeats + 1
    // A scroll API keeps one token and brings new records; a page that repeats by chance is followed by a new one.
    if (earlier === null || run.repeats < patienceWith(received, isIdentity, sameWalk !== null)) return
    const first = pageNumber - run.repeats + 1
    const evidence = sameWalk === null ? 'bring only records of earlier pages, such as' : 'ask and bring the same as'
    throw loop(streamName, at, `pages ${first} to ${pageNumber} ${evidence} page ${earlier}`)
  }
}

function patienceWith(received: readonly JsonRecord[], isIdentity: boolean, isSameRequest: boolean): number {
  if (!isIdentity && areAllAlike(received)) return patience.equalRows
  if (received.length === 1) return patience.oneRow
  return isSameRequest ? patience.sameRequest : patience.otherRequest
}

/** A page of one row without identity is alike to itself. */
function areAllAlike(received: readonly JsonRecord[]): boolean {
  const first = stringifyJson(received[0])
  return received.every((record) => stringifyJson(record) === first)
}

function keyOf({ method, url, headers, body }: HttpRequest): string {
  return hash(`${method} ${url} ${JSON.stringify(headers)} ${body ?? ''}`)
}

function loop(streamName: string, at: SourceLocation, evidence: string): ConnectorError {
  return new ConnectorError('pagination/loop', `Stream "${streamName}" does not end: ${evidence}.`, { at })
}

/** Keys → the page that first had them, newest `remembered` kept. */
class RecentMap {
  readonly #pages = new Map<string, number>()

  /** The page that had this key before, or null. */
  remember(key: string, page: number): number | null {
    const earlier = this.#pages.get(key)
    if (earlier !== undefined) return earlier
    this.#pages.set(key, page)
    if (this.#pages.size > remembered) this.#pages.delete(this.#pages.keys().next().value as string)
    return null
  }
}
