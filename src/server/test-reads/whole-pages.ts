/** Parts of pages → whole pages: a body that is read in parts is shown as one page. */
import { type Page, type UnshownResponse, unshownResponse } from '../../engine/pages/page.ts'
import type { JsonRecord } from '../../engine/plan/plan.ts'
import { isList } from '../../std/values/objects.ts'

/** A page as a test read shows and keeps it; counts are those of all its parts. */
export type WholePage = {
  /** The last part: it has the next page token. */
  readonly page: Page
  readonly response: UnshownResponse
  readonly records: readonly JsonRecord[]
  readonly receivedCount: number
  readonly bytes: number
  /** Parts are missing. */
  readonly isCutShort: boolean
}

/** The limit of a page in parts: a body larger than memory must not be kept. */
export const mostGathered = 64 * 1024 * 1024

/** Returns the page with its last part, or once it is enough. */
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
    const { body, headers, received } = unshownResponse(response)
    const isLast = part.stop !== null || part.next !== null
    if (gathered === null && isLast) {
      const answer = { body, headers, received }
      return { page: part, response: answer, records, receivedCount, bytes: response.bytes, isCutShort: false }
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
      response: { body: gathered.body, headers, received: gathered.received },
      records: gathered.records,
      receivedCount: gathered.count,
      bytes: gathered.bytes,
      isCutShort: !isLast,
    }
    gathered = null
    return whole
  }
}
