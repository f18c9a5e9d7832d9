/** Every fault that diagnosis knows, and what it is called. The word before the slash is what a user notices. */

export const findingTitles = {
  'never-stops/stop-condition': 'The stop condition is never met',
  'never-stops/cursor-not-found': 'The cursor is not where the manifest looks for it',
  'never-stops/same-page': 'Every request brings the same page',
  'never-stops/cycle': 'The pages go in a circle',
  'missing/page-size-capped': 'The API sends smaller pages than were asked for',
  'missing/token-not-placed': 'What asks for the next page does not reach the API',
  'missing/wrong-cursor': 'The walk ends although the API names a next page',
  'missing/not-paginated': 'The manifest reads one page, and the API has more',
  'missing/record-path': 'The records are somewhere else in the answer',
  'duplicates/method': 'The API counts in another way than the manifest',
  'duplicates/step': 'Pages overlap: the step is wrong',
  'duplicates/mixed-methods': 'Two ways of paging are mixed',
  'duplicates/cursor-not-unique': 'The cursor is the same for several records',
  'first-request/start-page': 'The first page has another number',
  'first-request/injection-rejected': 'The API refuses paging values on the first request',
  'first-request/injection-required': 'The API wants paging values on the first request',
  'api/short-page': 'A page in the middle is short',
  'api/empty-page': 'A page in the middle is empty',
  'api/repeated-page': 'The API sends a page twice',
  'api/rows-moved': 'Records moved while they were read',
  'api/wrong-total': 'The API counts wrongly',
  'api/not-json': 'An answer is not what its kind says',
  'api/cut-body': 'An answer ends in the middle',
  'api/rate-limited': 'The API asks to wait',
  'api/cursor-expired': 'A cursor is no longer known',
  'api/foreign-link': 'A link leads to another host',
  'api/slow': 'Answers take long',
} as const

export type FindingCode = keyof typeof findingTitles
