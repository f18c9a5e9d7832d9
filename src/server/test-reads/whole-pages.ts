/** Parts of pages → whole pages: what is read of a body as it arrives is shown as one. */
import { type Page, type UnshownAnswer, unshownAnswer } from '../../engine/pages/page.ts'
import type { JsonRecord } from '../../engine/plan/plan.ts'
import { isList } from '../../std/values/objects.ts'

/** A page as a test read shows and keeps it; counts are those of all its parts. */
export type WholePage = {
  /** The last part: it says how the walk goes on. */
  readonly page: Page
  readonly answer: UnshownAnswer
  readonly records: readonly JsonRecord[]
  readonly receivedCount: number
  readonly bytes: number
  /** More of it would have come. */
  readonly isCutShort: boolean
}

/** Of one page that comes in parts: a body larger than memory is not to be held after all. */
export const mostGathered = 64 * 1024 * 1024

/** Gathers parts. Gives the page once its last part is there, or no more of it is wanted. */
export function gatherParts(mostBytes = mostGathered): (part: Page, isEnough: boolean) => WholePage | null {
  let gathered: {
    body: unknown[]
    received: JsonRecord[]
    records: JsonRecord[]
    count: number
    bytes: number
  } | null = null

  return (part, isEnough) => {
    const { response, records, receivedCount } = part
    const { body, headers, received } = unshownAnswer(response)
    const isLast = part.stop !== null || part.next !== null
    if (gathered === null && isLast) {
      const answer = { body, headers, received }
      return { page: part, answer, records, receivedCount, bytes: response.bytes, isCutShort: false }
    }
    gathered ??= { body: [], received: [], records: [], count: 0, bytes: 0 }
    for (const item of isList(body) ? body : [body]) gathered.body.push(item)
    for (const one of received) gathered.received.push(one)
    for (const record of records) gathered.records.push(record)
    gathered.count += receivedCount
    gathered.bytes += response.bytes
    if (!isLast && !isEnough && gathered.bytes < mostBytes) return null
    const whole: WholePage = {
      page: part,
      answer: { body: gathered.body, headers, received: gathered.received },
      records: gathered.records,
      receivedCount: gathered.count,
      bytes: gathered.bytes,
      isCutShort: !isLast,
    }
    gathered = null
    return whole
  }
}
