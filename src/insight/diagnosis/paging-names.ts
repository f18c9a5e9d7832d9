/** Names to try for what asks for a page: those that an API lets slip first, then the usual ones. */
import { isUrl } from '../../is-url.ts'
import { isObject } from '../../members.ts'
import { envelopesIn } from '../envelopes.ts'
import { digitsIn } from '../link-query.ts'
import { isNameOf } from '../paging-names.ts'
import { type CursorPlace, cursorPlacesIn } from './cursor-places.ts'
import type { WalkedPage } from './walked-page.ts'

export type CountedBy = 'offset' | 'page'

const usual: Readonly<Record<CountedBy | 'cursor', readonly string[]>> = {
  offset: ['offset', 'skip', 'start', 'startIndex', '$skip', 'from', 'startAt', 'page[offset]'],
  page: ['page', 'page_number', 'pageNumber', 'p', 'page[number]', 'pageNo', 'page_no', 'pageIndex', 'currentPage'],
  cursor: [
    'cursor',
    'after',
    'page_token',
    'pageToken',
    'next_token',
    'starting_after',
    'next_cursor',
    'token',
    'nextToken',
    'continuation_token',
    'page[after]',
    'marker',
    'scroll_id',
  ],
}

/** Names to try for a number that counts records or pages, the likeliest first. */
export function countedNames(by: CountedBy, page: WalkedPage, recordPath: readonly string[] | null): string[] {
  return unique([...namesInLinks(page, recordPath, by), ...echoed(page, recordPath, by), ...usual[by]])
}

/** Names to try for a cursor found at a place: `next_page_token` is sent as `page_token` more often than not. */
export function cursorNames({ field, value, above }: Pick<CursorPlace, 'field' | 'value' | 'above'>): string[] {
  const bare = field.replace(/^next[_-]?/i, '')
  const small = bare.charAt(0).toLowerCase() + bare.slice(1)
  const isNumber = typeof value === 'number' || digitsIn(value) !== null
  const byKind = isNumber && /page|^next$/i.test(field) ? ['page', 'page_number'] : []
  const byOffset = /offset|start|skip/i.test(field) ? ['offset', 'skip', 'start'] : []
  const own = /^(next|end_?cursor)$/i.test(field) ? [] : [small, field]
  // JSON:API: what is at `meta.page.after` is sent as `page[after]`.
  const bracketed = above.at(-1) === 'page' && !/^next/i.test(field) ? [`page[${field}]`] : []
  return unique([...byKind, ...byOffset, ...bracketed, ...own, ...usual.cursor]).filter((name) => name !== '')
}

/** A next link shows how its API calls things: what changes from the request to the link is the token. */
function namesInLinks(page: WalkedPage, recordPath: readonly string[] | null, by: CountedBy): string[] {
  // Pages that a class of the connector's own brought have no address.
  if (!isUrl(page.request.url)) return []
  const asked = new URL(page.request.url).searchParams
  return cursorPlacesIn(page, recordPath).flatMap(({ isLink, value }) => {
    if (!isLink || !isUrl(String(value), page.request.url)) return []
    const named = [...new URL(String(value), page.request.url).searchParams]
    return named.flatMap(([name, text]) =>
      digitsIn(text) !== null && isNameOf(by, name) && asked.get(name) !== text ? [name] : [],
    )
  })
}

/** An envelope that says `"offset": 0` is likely to be asked with `offset`. */
function echoed({ answer }: WalkedPage, recordPath: readonly string[] | null, by: CountedBy): string[] {
  const envelopes = answer === null ? [] : envelopesIn(answer.body, recordPath)
  return envelopes.flatMap(({ members }) =>
    Object.keys(members).filter((name) => isNameOf(by, name) && !isObject(members[name])),
  )
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}
