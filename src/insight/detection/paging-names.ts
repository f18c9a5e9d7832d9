/** Names under which APIs are asked for a page, the usual ones first. They suggest what to try, and show nothing. */

// The order is that of how often they are met; a probe tries as many of them at once as can be told apart.
const pages = `page page_number pageNumber p pageNo page_no pageIndex page_index page_num pageNum pagenum currentPage
  current_page pg paged page[number] Page PageNumber page-number pageno pagina`
const offsets = `offset skip start startAt from start_at startIndex start_index start_from first_result firstResult begin _start
  startRow position pos page[offset] Offset Skip row_offset start-index record_offset sysparm_offset $skip`
const sizes = `limit per_page page_size pageSize perPage count take max_results maxResults pagesize pageLimit page_limit
  items_per_page itemsPerPage results_per_page hitsPerPage resultsPerPage num rows max n top length max_items maxItems page[size]
  page[limit] per-page page-size Limit PageSize first _limit sysparm_limit $top`
const afters = `starting_after startingAfter after start_after startAfter after_id afterId since_id sinceId last_id lastId min_id
  from_id cursor marker`
const cursors = `cursor page_token pageToken after next_token nextToken token next_cursor nextCursor next_page_token nextPageToken
  continuation_token continuationToken continuation starting_after start_cursor page_cursor pageCursor after_cursor afterCursor
  cursor_after start_after startAfter scroll_id scrollId marker bookmark next page offset start since from position page_id pageId
  page[cursor] page[after] page-token ContinuationToken Marker NextToken nextPage next_page starting_token startingToken search_after
  exclusive_start_key last_id lastId after_id`

const headerPages = 'X-Page X-Page-Number X-Page-No Page'
const headerOffsets = 'X-Offset X-Skip X-Start Offset'
const headerSizes = 'X-Limit X-Per-Page X-Page-Size X-Size X-Count X-Take Limit Per-Page'
const headerCursors =
  'X-Cursor X-Next-Cursor X-Page-Token X-Next-Token X-Continuation-Token X-After X-Next-Page X-Marker'

const list = (text: string) => text.split(/\s+/)

export const names = {
  page: list(pages),
  offset: list(offsets),
  size: list(sizes),
  after: list(afters),
  cursor: list(cursors),
} as const

export const headerNames = {
  page: list(headerPages),
  offset: list(headerOffsets),
  size: list(headerSizes),
  after: [] as string[],
  cursor: list(headerCursors),
} as const

export type NameKind = keyof typeof names

/** Objects in JSON bodies that hold paging values. */
export const holders = ['page', 'pagination', 'paging', 'pager', 'options', 'params', 'cursor'] as const

/** `size` says how many of anything: it is tried where something else says that pages are numbered. */
export const hintedSizes = [
  'size',
  'Size',
  'pagesize',
  'records',
  'results',
  'batch_size',
  'batchSize',
  'chunk',
] as const
