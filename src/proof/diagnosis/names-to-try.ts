/** Paging parameter names to try: those that the API's responses contain first, then the usual ones. */
import { isUrl } from '../../std/text/is-url.ts'
import { isObject } from '../../std/values/objects.ts'
import { envelopesIn } from '../claims/envelopes.ts'
import { digitsIn } from '../claims/link-query.ts'
import { isNameOf, usualSpellings } from '../names/paging-names.ts'
import { type CursorPlace, cursorPlacesIn } from './cursor-places.ts'
import type { PageSummary } from './page-summary.ts'

type CountedBy = 'offset' | 'page'

/** For an offset or a page number, the most likely first. */
export function countedNames(by: CountedBy, page: PageSummary, recordPath: readonly string[] | null): string[] {
  return unique([...countsInLinks(page, recordPath, by), ...echoedCounts(page, recordPath, by), ...usualSpellings[by]])
}

/** Names to try for a cursor found at a place: `next_page_token` is sent as `page_token` more often than not. */
export function cursorNames({ field, value, above }: Pick<CursorPlace, 'field' | 'value' | 'above'>): string[] {
  const bare = field.replace(/^next[_-]?/i, '')
  // An API that writes `NextMarker` writes `Marker`; of `nextMarker` only the rest begins with a capital.
  const styled = /^[A-Z]/.test(field) ? bare : bare.charAt(0).toLowerCase() + bare.slice(1)
  const isNumber = typeof value === 'number' || digitsIn(value) !== null
  const byKind = isNumber && /page|^next$/i.test(field) ? ['page', 'page_number'] : []
  const byOffset = /offset|start|skip/i.test(field) ? ['offset', 'skip', 'start'] : []
  const own = /^(next|end_?cursor)$/i.test(field) ? [] : [styled, field]
  // JSON:API: what is at `meta.page.after` is sent as `page[after]`.
  const bracketed = above.at(-1) === 'page' && !/^next/i.test(field) ? [`page[${field}]`] : []
  return unique([...byKind, ...byOffset, ...bracketed, ...own, ...usualSpellings.cursor]).filter((name) => name !== '')
}

/** Names from next links: the parameter that changes from the request to the link is the token. */
function countsInLinks(page: PageSummary, recordPath: readonly string[] | null, by: CountedBy): string[] {
  // Pages of a custom class have no URL.
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
function echoedCounts({ response }: PageSummary, recordPath: readonly string[] | null, by: CountedBy): string[] {
  const envelopes = response === null ? [] : envelopesIn(response.body, recordPath)
  return envelopes.flatMap(({ members }) =>
    Object.keys(members).filter((name) => isNameOf(by, name) && !isObject(members[name])),
  )
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}

export function sizeNames(page: PageSummary, recordPath: readonly string[] | null): string[] {
  return [...new Set([...sizesInLinks(page, recordPath), ...echoedSizes(page, recordPath), ...usualSpellings.size])]
}

/** A next link carries the size that it was made with. */
function sizesInLinks(page: PageSummary, recordPath: readonly string[] | null): string[] {
  if (!isUrl(page.request.url)) return []
  return cursorPlacesIn(page, recordPath).flatMap(({ isLink, value }) => {
    if (!isLink || !isUrl(String(value), page.request.url)) return []
    return [...new URL(String(value), page.request.url).searchParams.keys()].filter((name) => isNameOf('size', name))
  })
}

/** An envelope that says `"per_page": 20` is likely to be asked with `per_page`. */
function echoedSizes({ response, received }: PageSummary, recordPath: readonly string[] | null): string[] {
  const envelopes = response === null ? [] : envelopesIn(response.body, recordPath)
  return envelopes.flatMap(({ members }) =>
    Object.keys(members).filter(
      (name) => isNameOf('size', name) && !isObject(members[name]) && Number(members[name]) === received,
    ),
  )
}
