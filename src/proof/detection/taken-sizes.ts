/** `limit must be one of 10, 25, 50`: an API that takes some sizes of a page only → those it names, or none but what was given. */
import type { Answer } from './asking.ts'
import { type Put, type Slot, slotKey } from './question.ts'
import { isRefused, readRefusal, refusalText } from './refusals.ts'
import { isSlotOf } from './slots.ts'

/** Sizes that are taken, by the key of their parameter. An empty list: others were refused, and no size was named. */
export type TakenSizes = Map<string, readonly number[]>

export function learnSizes(sizes: TakenSizes, answer: Answer, puts: readonly Put[]): void {
  if (!isRefused(answer)) return
  const sent = puts.map(({ slot }) => slot).filter((slot) => isSlotOf('size', slot))
  const values = listedIn(refusalText(answer))
  for (const slot of readRefusal(answer, sent).known) {
    if (values.length > 0 || !sizes.has(slotKey(slot))) sizes.set(slotKey(slot), values)
  }
}

/** As few records as show that the size has an effect; null where it is left as it was given. */
export function sizeToAsk(sizes: TakenSizes, slot: Slot, count: number, usual: number): number | null {
  const taken = sizes.get(slotKey(slot))
  if (taken === undefined) return usual
  const fewer = taken.filter((one) => one > 0 && one < count)
  return fewer.length === 0 ? null : Math.min(...fewer)
}

const list =
  /\b(?:one of|allowed|valid|values?|either|from|in|supports?|supported|choose|are|be)\b\D{0,24}?((?:\d{1,5}["'`]?(?:\s*(?:,|\||\/|;|\bor\b|\band\b))+\s*["'`]?)+\d{1,5})/i

/** Two numbers or more, in a row. `between 1 and 100` is a range. */
function listedIn(text: string): number[] {
  const [, numbers = ''] = list.exec(text.replaceAll(/\bbetween\s+\d+\s+and\s+\d+/gi, '')) ?? []
  return [...new Set((numbers.match(/\d+/g) ?? []).map(Number))]
}
