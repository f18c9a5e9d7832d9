/** A page past the last that is refused → how the words of this refusal tell the end, or why they do not. */
import { searchableMessage } from '../../engine/response/body-message.ts'
import { isObject } from '../../std/values/objects.ts'
import { type EndFilter, endFilters, speaksOfLimit } from '../end-filter.ts'
import type { Answer } from './asking.ts'

/** Never a status: a limit of the API, and a wrong address, have the same one, and would read as the end. */
export type EndRule = EndFilter

type RefusedEnd = {
  /** Null where the words may be about anything: a read that comes to this page fails with them. */
  readonly rule: EndRule | null
  readonly says: string
}

export function refusedEnd({ status, message, isJson, body, response }: Answer): RefusedEnd {
  const answered = message === null ? String(status) : `${status}, ${message.replace(/\.$/, '')}`
  const searched = response === null ? '' : searchableMessage(response)
  const everything = [searched, message ?? '', ...sentencesIn(body, deepest)].join('\n')
  if (speaksOfLimit(everything))
    return {
      rule: null,
      says: `the API refuses pages past a limit of its own (${answered}): a read that comes to it fails there with this message`,
    }
  // A page for people that says `not found` speaks of its address.
  const rule = isJson ? ruleFor(searched, message ?? '', status === 404 ? ofMissing : undefined) : null
  if (rule !== null) return { rule, says: `past the end it answers ${answered}, and is known by these words` }
  return {
    rule,
    says: `past the end it answers ${answered}, which may mean anything: a read whose last page is full asks for the page after it, and fails there with this answer`,
  }
}

/** `error_message_contains` looks at some members only; a predicate looks at the whole answer. */
function ruleFor(searched: string, message: string, alsoEnd?: RegExp): EndRule | null {
  return (
    endFilters(searched, alsoEnd)[0] ?? endFilters(message, alsoEnd).find((filter) => 'predicate' in filter) ?? null
  )
}

/** With a 404 these say that the page is not there; with another status they may be about how it was asked for. */
const ofMissing = /\binvalid page\b|\bpage [a-z ]{0,20}not found|\bpage contains no\b/i

const deepest = 6

/** Texts of several words: a limit may be named beside the message. */
function sentencesIn(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return /\S\s\S/.test(value) ? [value] : []
  if (depth === 0) return []
  const members = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []
  return members.flatMap((member) => sentencesIn(member, depth - 1))
}
