/** The names that APIs use, as words; how one API writes words. A leading `=`: written so everywhere. */
import type { NameStyle } from '../../../../src/proof/names/name-style.ts'
import type { Dice } from '../../../helpers/dice.ts'

export const drawStyle = (dice: Dice): NameStyle =>
  dice.weigh([
    [52, 'snake'],
    [38, 'camel'],
    [4, 'pascal'],
    [3, 'kebab'],
    [2, 'lower'],
    [1, 'upper'],
  ])

/** Token and size, as they come together. */
type Pairs = readonly (readonly [weight: number, names: readonly [token: string, size: string]])[]

export const offsetPairs: Pairs = [
  [10, ['offset', 'limit']],
  [3, ['skip', 'limit']],
  [2, ['skip', 'take']],
  [3, ['start', 'limit']],
  [1, ['start', 'count']],
  [2, ['start at', 'max results']],
  [2, ['from', 'size']],
  [2, ['offset', 'count']],
  [1, ['offset', 'per page']],
  [1, ['offset', 'page size']],
  [1, ['start', 'rows']],
  [2, ['=$skip', '=$top']],
  [1, ['=$offset', '=$limit']],
  [2, ['=page[offset]', '=page[limit]']],
  [1, ['=sysparm_offset', '=sysparm_limit']],
]

export const pagePairs: Pairs = [
  [9, ['page', 'per page']],
  [6, ['page', 'limit']],
  [6, ['page', 'page size']],
  [4, ['page', 'size']],
  [4, ['page number', 'page size']],
  [2, ['page no', 'page size']],
  [1, ['page num', 'page size']],
  [2, ['page index', 'page size']],
  [1, ['page', 'count']],
  [1, ['page', 'hits per page']],
  [1, ['current page', 'per page']],
  [1, ['p', 'per page']],
  [3, ['=page[number]', '=page[size]']],
]

/** Where a cursor is, as which parameter it is sent, and the size next to it. */
export type CursorNames = { readonly at: readonly string[]; readonly token: string; readonly size: string }

const cursorNames = (at: string, token: string, size: string): CursorNames => ({ at: at.split('.'), token, size })

/** Slack, Google, HubSpot, Airtable, Twitch, AWS, Zendesk, Square, Pinterest, Notion and their like. */
export const bodyCursors: readonly (readonly [number, CursorNames])[] = [
  [6, cursorNames('next cursor', 'cursor', 'limit')],
  [4, cursorNames('meta.next cursor', 'cursor', 'limit')],
  [4, cursorNames('pagination.next cursor', 'cursor', 'limit')],
  [3, cursorNames('response metadata.next cursor', 'cursor', 'limit')],
  [6, cursorNames('next page token', 'page token', 'page size')],
  [2, cursorNames('next page token', 'page token', 'max results')],
  [3, cursorNames('paging.next.after', 'after', 'limit')],
  [3, cursorNames('paging.cursors.after', 'after', 'limit')],
  [2, cursorNames('offset', 'offset', 'page size')],
  [3, cursorNames('next token', 'next token', 'max results')],
  [2, cursorNames('meta.next token', 'pagination token', 'max results')],
  [2, cursorNames('meta.after cursor', '=page[after]', '=page[size]')],
  [2, cursorNames('cursor', 'cursor', 'limit')],
  [2, cursorNames('pagination.cursor', 'after', 'first')],
  [2, cursorNames('continuation token', 'continuation token', 'limit')],
  [2, cursorNames('next marker', 'marker', 'limit')],
  [1, cursorNames('bookmark', 'bookmark', 'page size')],
  [2, cursorNames('next cursor', 'start cursor', 'page size')],
  [2, cursorNames('page info.end cursor', 'after', 'first')],
  [1, cursorNames('meta.cursor.next', 'cursor', 'per page')],
]

export type HeaderCursor = { readonly header: string; readonly token: string; readonly into: 'query' | 'header' }

export const headerCursors: readonly (readonly [number, HeaderCursor])[] = [
  [4, { header: 'X-Next-Cursor', token: 'cursor', into: 'query' }],
  [2, { header: 'X-Next-Page-Token', token: 'page token', into: 'query' }],
  [2, { header: 'x-ms-continuationtoken', token: '=continuationToken', into: 'query' }],
  [2, { header: 'X-Next-Token', token: 'next token', into: 'query' }],
  [1, { header: 'Next-Cursor', token: 'cursor', into: 'query' }],
  [2, { header: 'X-Pagination-Next-Cursor', token: 'cursor', into: 'query' }],
  [2, { header: 'X-Continuation-Token', token: 'continuation token', into: 'query' }],
  [2, { header: 'x-ms-continuation', token: '=x-ms-continuation', into: 'header' }],
  [1, { header: 'X-Continuation-Token', token: '=X-Continuation-Token', into: 'header' }],
]

export const afterNames = [
  'starting after',
  'after',
  'since id',
  'after id',
  'last id',
  'start after',
  'since',
  'from id',
]

export const moreFlags = [
  'has more',
  'has more',
  'has more',
  'has next',
  'has next page',
  'more',
  'more results',
  'more available',
]

export const nextUrls = [
  'next',
  'next',
  'next url',
  'next page url',
  'next page',
  'next link',
  'next page link',
  'next href',
]

export const nextUrlsNested = [
  'links.next',
  'paging.next',
  'pagination.next',
  'pagination.next url',
  'meta.next',
  'meta.links.next',
  'pagination.links.next',
  'page.next link',
  'links.next.href',
  'response.paging.next',
]

export const nextNumbers = [
  'next page',
  'meta.next page',
  'pagination.next page',
  'pagination.next',
  'paging.next page',
  'page info.next page',
]

export const totals = [
  'total',
  'total',
  'total count',
  'total results',
  'total items',
  'total records',
  'count',
  'total elements',
  'records total',
  'num found',
]

export const pageTotals = ['total pages', 'total pages', 'page count', 'pages', 'last page', 'num pages', 'nb pages']

export const metas = ['', '', 'meta', 'pagination', 'paging', 'page info', '=_meta', 'metadata', 'page context']

export const recordPaths = [
  'data',
  'data',
  'data',
  'items',
  'results',
  'records',
  'value',
  'entries',
  'content',
  'list',
  'rows',
  'docs',
  'hits.hits',
  'response.docs',
  'data.items',
  'result.items',
  'payload.list of things',
  'data.attributes.members',
  'search results',
  'd.results',
]

export const resources = ['orders', 'customers', 'tickets', 'issues', 'invoices', 'messages', 'products', 'events']

export const basePaths = ['', '/v1', '/api', '/api/v2', '/rest/2.0', '/services/data/v59.0', '/2024-01']
