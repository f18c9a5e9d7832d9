/** Names under which APIs are asked for a page, the usual ones first. They suggest what to try, and show nothing. */
import { type NameStyle, styled } from './name-style.ts'
import { plainName } from './words.ts'

export type NameKind = 'page' | 'offset' | 'size' | 'after' | 'cursor'

// Words, each written in the style of the API; what begins with `=` is written so everywhere.
const pools: Readonly<Record<NameKind, string>> = {
  page: `page, page number, page no, page index, p, page num, current page, pg, =paged, =page[number]`,
  offset: `offset, skip, start, start at, from, start index, first result, start from, begin, position, start row, row offset,
    record offset, start record, =_start, =page[offset], =$skip, =$offset, =sysparm_offset`,
  size: `limit, per page, page size, count, take, max results, max, rows, page limit, items per page, results per page,
    hits per page, num, top, n, length, max items, max records, num results, page length, first, =_limit, =page[size], =page[limit],
    =$top, =$limit, =sysparm_limit`,
  after: `starting after, after, start after, after id, since id, last id, from id, min id, since, cursor, marker, start key`,
  cursor: `cursor, page token, after, next token, token, next cursor, next page token, continuation token, pagination token,
    start cursor, page cursor, after cursor, continuation, marker, bookmark, scroll id, starting after, start after, cursor after,
    start token, starting token, resume token, page key, start key, next marker, next, next page, search after, page id,
    exclusive start key, =page[after], =page[cursor], offset, page, start, from, since, position`,
}

const headerPools: Readonly<Record<NameKind, string>> = {
  page: 'X-Page, X-Page-Number, X-Page-No, Page',
  offset: 'X-Offset, X-Skip, X-Start, Offset',
  size: 'X-Limit, X-Per-Page, X-Page-Size, X-Size, X-Count, X-Take, Limit, Per-Page',
  after: '',
  cursor: 'X-Cursor, X-Next-Cursor, X-Page-Token, X-Next-Token, X-Continuation-Token, X-After, X-Next-Page, X-Marker',
}

/** They say how many of anything: tried only once something else was seen to ask for pages. */
const looseSizes = 'size, results, records, batch size, chunk size'

const list = (text: string) => text.split(',').flatMap((words) => words.trim() || [])

export function namesOf(kind: NameKind, style: NameStyle): string[] {
  return styledAll(list(pools[kind]), style)
}

export function looseSizeNames(style: NameStyle): string[] {
  return styledAll(list(looseSizes), style)
}

export function headerNamesOf(kind: NameKind): string[] {
  return list(headerPools[kind])
}

/** In the style of the API first; then as most APIs write, since parameters are not always written as fields are. */
function styledAll(pool: readonly string[], style: NameStyle): string[] {
  const styles: NameStyle[] = [style, 'snake', 'camel']
  return [...new Set(styles.flatMap((one) => pool.map((words) => styled(words, one))))]
}

const known: Readonly<Record<NameKind, ReadonlyMap<string, number>>> = {
  page: ranks(pools.page),
  offset: ranks(pools.offset),
  size: ranks(`${pools.size}, ${looseSizes}`),
  after: ranks(pools.after),
  cursor: ranks(pools.cursor),
}

function ranks(pool: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  // `page[size]` and `page size` are one name: the first counts.
  for (const [index, words] of list(pool).entries()) {
    if (!found.has(plainName(words))) found.set(plainName(words), index)
  }
  return found
}

export function isNameOf(kind: NameKind, name: string): boolean {
  return known[kind].has(plainName(name))
}

/** How usual a name is; the smaller the more. */
export function rankOf(kind: NameKind, name: string): number {
  return known[kind].get(plainName(name)) ?? known[kind].size
}

export function isPagingName(name: string): boolean {
  return (Object.keys(known) as NameKind[]).some((kind) => isNameOf(kind, name))
}
