/** Parts of pages → whole pages: what is read of a body as it arrives is shown as one. */
import { type Page, type UnshownAnswer, unshownAnswer } from '../../engine/pages/page.ts'
import type { JsonRecord } from '../../engine/plan/plan.ts'
import { isList } from '../../members.ts'

/** A page as a test read shows and keeps it; counts are those of all its parts. */
export type WholePage = {
  /** The last part: it says how the walk goes on. */
  readonly page: Page
  readonly answer: UnshownAnswer
  readonly records: readonly JsonRecord[]
  readonly receivedCount: number
  readonly bytes: number
}

/** Gathers parts. Gives the page once its last part is there, or `isEnough` says that no more is wanted. */
export function gatherParts(): (part: Page, isEnough: boolean) => WholePage | null {
  let earlier: WholePage | null = null
  return (part, isEnough) => {
    const grown = earlier === null ? alone(part) : together(earlier, part)
    const isWhole = isEnough || part.stop !== null || part.next !== null
    earlier = isWhole ? null : grown
    return isWhole ? grown : null
  }
}

function alone(page: Page): WholePage {
  const { records, receivedCount, response } = page
  return { page, answer: unshownAnswer(response), records, receivedCount, bytes: response.bytes }
}

function together(earlier: WholePage, part: Page): WholePage {
  const { answer, records, receivedCount, bytes } = alone(part)
  return {
    page: part,
    answer: {
      body: [...itemsOf(earlier.answer.body), ...itemsOf(answer.body)],
      headers: answer.headers,
      received: [...earlier.answer.received, ...answer.received],
    },
    records: [...earlier.records, ...records],
    receivedCount: earlier.receivedCount + receivedCount,
    bytes: earlier.bytes + bytes,
  }
}

function itemsOf(body: unknown): readonly unknown[] {
  return isList(body) ? body : [body]
}
