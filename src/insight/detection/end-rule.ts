/** A page past the last that is refused → the rule that takes just this refusal for the end, or none where none is needed. */
import { searchableMessage } from '../../engine/response/body-message.ts'
import type { Answer } from './asking.ts'

/** A status alone would hide the same status on the first page: a wrong address would read as no records. */
export type EndRule = { readonly http_codes: readonly number[] } | { readonly error_message_contains: string }

export type EndFacts = {
  readonly total: number | null
  readonly pageSize: number
}

/** Null where a short page ends the walk before anything is refused. */
export function endRuleFor(refused: Answer, { total, pageSize }: EndFacts): EndRule | null {
  const words = refused.response === null ? null : ofPages(searchableMessage(refused.response))
  if (words !== null) return { error_message_contains: words }
  const isShortAtEnd = total !== null && total % Math.max(1, pageSize) !== 0
  return isShortAtEnd || refused.status === null ? null : { http_codes: [refused.status] }
}

const longest = 120

/** The longest part that speaks of pages, without numbers, which are others on another page. */
function ofPages(message: string): string | null {
  const parts = message.split(/\d+|[\n"\\{}]/).map((part) => part.trim())
  const speaking = parts.filter((part) => part.length >= 8 && part.length <= longest && speaksOfPages.test(part))
  return speaking.toSorted((one, other) => other.length - one.length)[0] ?? null
}

const speaksOfPages = /\b(pages?|offset|range|skip|beyond|past the|out of bounds|cursor|limit|index)\b/i
