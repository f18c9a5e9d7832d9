/** Position in a dataset ↔ opaque cursor. */
import { type Question, Refusal } from './exchange.ts'
import type { Dataset } from './records.ts'

/** The cursor that starts at `position`. It holds the size too, so that a walk stays within one dataset. */
export function writeCursor(dataset: Dataset, position: number): string {
  return Buffer.from(JSON.stringify([dataset.name, position, dataset.size])).toString('base64url')
}

/** The dataset and the position a cursor stands for; without a cursor, the beginning. */
export function readCursor(field: string, given: unknown, question: Question): { dataset: Dataset; start: number } {
  if (given === undefined || given === null) return { dataset: question.dataset, start: 0 }
  const { name } = question.dataset
  const [of, start, size] = typeof given === 'string' ? contentOf(given) : []
  if (of === name && typeof start === 'number' && typeof size === 'number') {
    const dataset = { name, size }
    // Decoding forgives much; only what this lab wrote reads back the same.
    const isWithin = Number.isSafeInteger(start) && start >= 0 && start <= longest(question, size)
    if (isWithin && writeCursor(dataset, start) === given) {
      return { dataset, start }
    }
  }
  throw new Refusal(400, `${field} is not a cursor that this endpoint gave out.`, { field })
}

/** Where a page comes twice or holds nothing the list is longer than its dataset, but never by as much again. */
function longest({ hooks }: Question, size: number): number {
  return hooks.layout === undefined ? size : 2 * size
}

function contentOf(cursor: string): unknown[] {
  try {
    const content: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(content) ? content : []
  } catch {
    return []
  }
}
