/** What parameters of paging are called, by habit and by what an API lets slip about its own. */
import { isObject } from '../../members.ts'
import { envelopesIn } from '../envelopes.ts'
import { type CursorPlace, cursorPlacesIn } from './cursor-places.ts'
import type { WalkedPage } from './walked-page.ts'

export type CountedBy = 'offset' | 'page'

const usual: Readonly<Record<CountedBy | 'cursor' | 'size', readonly string[]>> = {
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
  size: ['limit', 'per_page', 'page_size', 'pageSize', 'size', 'count', '$top', 'page[size]', 'max_results'],
}

/** Names to try for a number that counts records or pages, the likeliest first. */
export function countedNames(by: CountedBy, page: WalkedPage, recordPath: readonly string[] | null): string[] {
  return unique([...namesInLinks(page, recordPath, by), ...echoed(page, recordPath, by), ...usual[by]])
}

/** The parameter a size goes into; null where the API gives no hint. */
export function sizeName(page: WalkedPage, recordPath: readonly string[] | null): string | null {
  return [...namesInLinks(page, recordPath, 'size'), ...echoed(page, recordPath, 'size')][0] ?? null
}

/** Names to try for a cursor found at a place: `next_page_token` is sent as `page_token` more often than not. */
export function cursorNames({ field, value }: Pick<CursorPlace, 'field' | 'value'>): string[] {
  const bare = field.replace(/^next[_-]?/i, '')
  const small = bare.charAt(0).toLowerCase() + bare.slice(1)
  const isNumber = typeof value === 'number' || /^\d{1,9}$/.test(value)
  const byKind = isNumber && /page|^next$/i.test(field) ? ['page', 'page_number'] : []
  const byOffset = /offset|start|skip/i.test(field) ? ['offset', 'skip', 'start'] : []
  const own = /^(next|end_?cursor)$/i.test(field) ? [] : [small, field]
  return unique([...byKind, ...byOffset, ...own, ...usual.cursor]).filter((name) => name !== '')
}

/** A next link shows how its API calls things: what changes from the request to the link is the token. */
function namesInLinks(page: WalkedPage, recordPath: readonly string[] | null, kind: CountedBy | 'size'): string[] {
  // Pages that a class of the connector's own brought have no address.
  if (!URL.canParse(page.request.url)) return []
  const asked = new URL(page.request.url).searchParams
  return cursorPlacesIn(page, recordPath).flatMap(({ isLink, value }) => {
    if (!isLink || !URL.canParse(String(value), page.request.url)) return []
    const named = [...new URL(String(value), page.request.url).searchParams]
    return named.flatMap(([name, text]) => {
      const isOfKind = /^\d+$/.test(text) && matches(name, kind)
      return isOfKind && (kind === 'size' || asked.get(name) !== text) ? [name] : []
    })
  })
}

/** An envelope that says `"offset": 0` is likely to be asked with `offset`. */
function echoed({ answer }: WalkedPage, recordPath: readonly string[] | null, kind: CountedBy | 'size'): string[] {
  const envelopes = answer === null ? [] : envelopesIn(answer.body, recordPath)
  return envelopes.flatMap(({ members }) =>
    Object.keys(members).filter((name) => matches(name, kind) && !isObject(members[name])),
  )
}

function matches(name: string, kind: CountedBy | 'size'): boolean {
  return usual[kind].some((known) => plain(known) === plain(name))
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '')
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}
