/** What the index of the docs holds. The server makes it, the browser opens it: both need the same options. */
import type { Options } from 'minisearch'

/** A part of a page, from one heading to the next. */
export type SearchedPart = {
  readonly id: string
  readonly page: string
  readonly heading: string
  readonly text: string
  /** Its first words, for the list of results. */
  readonly start: string
}

export const searchOptions: Options<SearchedPart> = {
  fields: ['page', 'heading', 'text'],
  storeFields: ['page', 'heading', 'start'],
  processTerm: stemOf,
  searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
}

/** `retry`, `retries` and `retried` are one word; so are `limit`, `limits` and `limited`. */
function stemOf(term: string): string {
  const word = term.toLowerCase()
  if (word.length < 4) return word
  return word.replace(/(?:ies|ied|y)$/, 'i').replace(/(?:s|ed)$/, '')
}
