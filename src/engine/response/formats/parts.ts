/** Items as they are decoded → parts of a page: large enough to be efficient, small enough to be held. */
import type { Items } from './items.ts'

/** What a page is made of, or a part of one: `value` is the list of its items where a format has items. */
export type BodyPart = {
  readonly value: unknown
  readonly hasFloats: boolean
  readonly bytes: number
  readonly isLast: boolean
}

const mostItems = 1_000
const mostBytes = 4 * 1024 * 1024

/** One part at least. A failure comes after the part with what was decoded before it. */
export async function* partsOf(source: AsyncIterable<Items>): AsyncGenerator<BodyPart> {
  let values: unknown[] = []
  let bytes = 0
  let hasFloats = false
  const part = (isLast: boolean): BodyPart => {
    const taken = { value: values, hasFloats, bytes, isLast }
    values = []
    bytes = 0
    return taken
  }

  try {
    for await (const items of source) {
      hasFloats ||= items.hasFloats
      for (const value of items.values) {
        // Only when another item follows is it certain that this part is not the last.
        if (values.length >= mostItems || bytes >= mostBytes) yield part(false)
        values.push(value)
      }
      bytes += items.bytes
    }
  } catch (failure) {
    if (values.length > 0) yield part(false)
    throw failure
  }
  yield part(true)
}
