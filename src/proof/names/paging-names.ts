/** The names of paging parameters, the usual ones first. A name is a hint, never a proof. */
import { plainName, type NameStyle, styled } from './name-style.ts'

export type NameKind = 'page' | 'offset' | 'size' | 'after' | 'cursor'

/** In words, to be written as an API writes its names; what begins with `=` is written so everywhere. */
const pagingNames: Readonly<Record<NameKind, readonly string[]>> = {
  page: list(`page, page number, page no, page index, p, =_page, page num, current page, pg, =paged, =page[number]`),
  offset: list(`offset, skip, start, start at, from, start index, first result, start from, begin, position, start row,
    row offset, record offset, start record, =_start, =_offset, =page[offset], =$skip, =$offset, =sysparm_offset`),
  size: list(`limit, per page, page size, count, take, max results, max, rows, page limit, items per page, results per page,
    hits per page, num, top, n, length, max items, max records, num results, page length, first, =_limit, =_per_page, =_size, =page[size],
    =page[limit], =$top, =$limit, =sysparm_limit`),
  after: list(`starting after, after, start after, after id, since id, last id, from id, min id, since, cursor, marker,
    start key, before, before id, max id`),
  cursor: list(`cursor, page token, after, next token, token, next cursor, next page token, continuation token,
    pagination token, start cursor, page cursor, after cursor, continuation, marker, bookmark, scroll id, starting after,
    start after, cursor after, start token, starting token, resume token, page key, start key, next marker, next, next page,
    search after, page id, exclusive start key, =page[after], =page[cursor], offset, page, start, from, since, position`),
}

/** Names that may mean the size of anything. */
const looseSizes = list('size, results, records, batch size, chunk size')

/** Names of particular server software: tried only where a response looks like that software's. */
const ofSoftware = {
  page: list('=pagination[page]'),
  offset: list('result offset, =pagination[start]'),
  size: list('result record count, =pagination[pageSize], =pagination[limit]'),
}

function list(text: string): string[] {
  return text.split(',').map((words) => words.trim())
}

const ranks: Readonly<Record<NameKind, ReadonlyMap<string, number>>> = {
  page: ranked([...pagingNames.page, ...ofSoftware.page]),
  offset: ranked([...pagingNames.offset, ...ofSoftware.offset]),
  size: ranked([...pagingNames.size, ...looseSizes, ...ofSoftware.size]),
  after: ranked(pagingNames.after),
  cursor: ranked(pagingNames.cursor),
}

/** `page[size]` and `page size` are one name: the first counts. */
function ranked(names: readonly string[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const [index, words] of names.entries()) {
    if (!found.has(plainName(words))) found.set(plainName(words), index)
  }
  return found
}

export function isNameOf(kind: NameKind, name: string): boolean {
  return ranks[kind].has(plainName(name))
}

/** How usual a name is; the smaller the more. */
export function rankOf(kind: NameKind, name: string): number {
  return ranks[kind].get(plainName(name)) ?? ranks[kind].size
}

export function isPagingName(name: string): boolean {
  return Object.values(ranks).some((known) => known.has(plainName(name)))
}

/** Whether it is a count: records to skip, or a page number. */
export function isCountingName(name: string): boolean {
  return isNameOf('page', name) || isNameOf('offset', name)
}

/** Names to try in requests, in the style of the API first; then as most APIs write, since parameters are not always written as fields are. */
export function styledNames(kind: NameKind, style: NameStyle): string[] {
  return styledAll(pagingNames[kind], style)
}

/** Tried only once something else was seen to ask for pages. */
export function looseSizeNames(style: NameStyle): string[] {
  return styledAll(looseSizes, style)
}

function styledAll(pool: readonly string[], style: NameStyle): string[] {
  const styles: NameStyle[] = [style, 'snake', 'camel']
  return [...new Set(styles.flatMap((one) => pool.map((words) => styled(words, one))))]
}

const headerNames: Readonly<Record<NameKind, readonly string[]>> = {
  page: ['X-Page', 'X-Page-Number', 'X-Page-No', 'Page'],
  offset: ['X-Offset', 'X-Skip', 'X-Start', 'Offset'],
  size: ['X-Limit', 'X-Per-Page', 'X-Page-Size', 'X-Size', 'X-Count', 'X-Take', 'Limit', 'Per-Page'],
  after: [],
  cursor: [
    'X-Cursor',
    'X-Next-Cursor',
    'X-Page-Token',
    'X-Next-Token',
    'X-Continuation-Token',
    'X-After',
    'X-Next-Page',
    'X-Marker',
  ],
}

export function headerNamesOf(kind: NameKind): readonly string[] {
  return headerNames[kind]
}

/** Spellings that diagnosis tries one request at a time, the most frequent first. */
export const usualSpellings: Readonly<Record<'offset' | 'page' | 'size' | 'cursor', readonly string[]>> = {
  offset: list('offset, skip, start, startIndex, $skip, from, startAt, page[offset]'),
  page: list('page, page_number, pageNumber, p, page[number], pageNo, page_no, pageIndex, currentPage'),
  size: list('limit, per_page, page_size, pageSize, size, count, perPage, max_results, page[size], take, rows'),
  cursor: list(`cursor, after, page_token, pageToken, next_token, starting_after, next_cursor, token, nextToken,
    continuation_token, page[after], marker, scroll_id`),
}

/** Names by which a response says which page it is, or at which record it starts: letters only. */
export const positionNames: Readonly<Record<'page' | 'offset', ReadonlySet<string>>> = {
  page: lettersOf('page currentpage pagenumber pageindex number'),
  offset: lettersOf('offset skip start startat startindex from startposition'),
}

/** Names next to which a number in a response is about pages: letters only. */
export const companionNames: ReadonlySet<string> = lettersOf(
  `limit offset skip page perpage pagesize pagenumber pageindex currentpage start startat startindex next nextpage nextpageurl
  previous previouspage prev prevpage hasmore hasnext hasnextpage totalpages maxresults itemsperpage`,
)

const likelyNames = lettersOf(
  `page pageno pagenum pagenumber pageindex pagesize perpage limit offset skip top take count size rows start from cursor after before
  startingafter endingbefore pagetoken nexttoken nextpagetoken continuationtoken continuation maxresults startat startindex pagelimit
  pageoffset first last scrollid marker`,
)

/** Whether a parameter probably asks for a page. Only the API knows for certain, so requests keep it. */
export function isLikelyPagingName(name: string): boolean {
  return likelyNames.has(name.toLowerCase().replaceAll(/[^a-z]/g, ''))
}

function lettersOf(names: string): ReadonlySet<string> {
  return new Set(names.split(/\s+/))
}
