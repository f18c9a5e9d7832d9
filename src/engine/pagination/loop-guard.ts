/** Pages of one slice, in order → an error once the walk goes in circles. */
import { ConnectorError, type SourceLocation } from '../../errors.ts'
import { stringifyJson } from '../../json.ts'
import type { JsonRecord } from '../plan/plan.ts'
import type { HttpRequest } from '../request/http-request.ts'

export type GuardedPage = {
  readonly request: HttpRequest
  readonly received: readonly JsonRecord[]
  /** The body as it came, for pages without records. */
  readonly body: Uint8Array
}

/** Tells the guard about the page just read; throws when the walk can never end. */
export type LoopGuard = (page: GuardedPage) => void

/** Pages remembered: older ones are forgotten, so that memory stays flat on an endless feed. */
const remembered = 50_000

/** Different requests, same records: a cached or slow-moving API may answer so twice, not four times running. */
const repeatsOfDistinctRows = 3

/** Rows that are all alike prove nothing by repeating: only a very long run of them is a loop. */
const repeatsOfEqualRows = 1_000

/** APIs that scan by time or by shard send many empty pages, each with a new cursor. */
const emptyPagesRunning = 10_000

export function createLoopGuard(streamName: string, at: SourceLocation): LoopGuard {
  const seenWalks = new RecentMap()
  const seenContents = new RecentMap()
  let pageNumber = 0
  let repeatsRunning = 0
  let emptyRunning = 0

  return ({ request, received, body }) => {
    pageNumber++
    const content = received.length > 0 ? contentKey(received) : bodyKey(body)
    const sameContent = seenContents.remember(content, pageNumber)
    const sameWalk = seenWalks.remember(`${requestKey(request)} ${content}`, pageNumber)
    emptyRunning = received.length === 0 ? emptyRunning + 1 : 0
    repeatsRunning = received.length > 0 && sameContent !== null ? repeatsRunning + 1 : 0
    if (sameContent === null && emptyRunning < emptyPagesRunning) return

    const patience = areAllAlike(received) ? repeatsOfEqualRows : repeatsOfDistinctRows
    // A scroll API keeps one token and brings new records: only the same request with the same page is a loop.
    if (sameWalk !== null && (patience === repeatsOfDistinctRows || repeatsRunning >= patience)) {
      throw loop(streamName, at, `page ${pageNumber} repeats page ${sameWalk}: same request, same answer`)
    }
    if (repeatsRunning >= patience) {
      const first = pageNumber - repeatsRunning + 1
      throw loop(
        streamName,
        at,
        `pages ${first} to ${pageNumber} bring only records of earlier pages, such as page ${sameContent}`,
      )
    }
    if (emptyRunning >= emptyPagesRunning) {
      throw loop(streamName, at, `the last ${emptyRunning} pages, up to page ${pageNumber}, were empty`)
    }
  }
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

function areAllAlike(received: readonly JsonRecord[]): boolean {
  if (received.length < 2) return false
  const first = stringifyJson(received[0])
  return received.every((record) => stringifyJson(record) === first)
}

/**
 * How many there are, the first and the last: reading all would cost as much as decoding the page.
 * Pages that agree in these by chance do not do so several times running.
 */
function contentKey(received: readonly JsonRecord[]): string {
  return `${received.length}:${hash(stringifyJson(received[0]))}${hash(stringifyJson(received.at(-1)))}`
}

function bodyKey(body: Uint8Array): string {
  return `empty:${hash(new TextDecoder('latin1').decode(body.subarray(0, 65_536)))}`
}

function requestKey({ method, url, headers, body }: HttpRequest): string {
  return hash(`${method} ${url} ${JSON.stringify(headers)} ${body ?? ''}`)
}

/** Two rounds of FNV-1a with different seeds: 64 bits, no import, a microsecond per kilobyte. */
function hash(text: string): string {
  let low = 0x811c9dc5
  let high = 0x01000193
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x5bd1e995) ^ (high >>> 15)
  }
  return (low >>> 0).toString(36) + (high >>> 0).toString(36)
}
