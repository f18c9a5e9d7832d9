/** Every pagination dialect of the lab, in one table: routing, the index page and the tests read it. */
import { calendar } from './dialects/calendar.ts'
import { afterKey, cursor, cursorHeader, form, graphql, search } from './dialects/cursor.ts'
import { all, nextPath, nextUrl } from './dialects/next-link.ts'
import { odata, offset, offsetHeader, range } from './dialects/offset.ts'
import { jsonApi, pageInLinkHeader, pageFromOne, pageFromZero, pageInPath } from './dialects/page.ts'
import type { DialectResponse, Question } from './exchange.ts'
import type { Fault, Trait } from './faults/fault.ts'

export type Dialect = {
  path: string
  method: 'GET' | 'POST'
  /** How pages follow each other, in a few words. */
  kind: string
  parameters: readonly string[]
  /** A request to try: what follows `curl ORIGIN`. */
  try: string
  /** What faults may touch. */
  traits: readonly Trait[]
  answer(question: Question): DialectResponse
}

// biome-ignore format: a table reads best with one line each
export const dialects: readonly Dialect[] = [
  { path: '/offset', method: 'GET', kind: 'offset and limit', parameters: ['offset', 'limit'], try: '/offset?offset=100&limit=2', traits: ['pages', 'sized', 'counted', 'total'], answer: offset },
  { path: '/page', method: 'GET', kind: 'page number from 1', parameters: ['page', 'per_page'], try: '/page?page=2&per_page=2', traits: ['pages', 'sized', 'counted', 'total'], answer: pageFromOne },
  { path: '/page0', method: 'GET', kind: 'page number from 0', parameters: ['page', 'per_page'], try: '/page0?page=1&per_page=2', traits: ['pages', 'sized', 'counted', 'total'], answer: pageFromZero },
  { path: '/cursor', method: 'GET', kind: 'cursor in the body', parameters: ['cursor', 'limit'], try: '/cursor?limit=2', traits: ['pages', 'sized', 'next', 'cursor'], answer: cursor },
  { path: '/cursor-header', method: 'GET', kind: 'cursor in a response header', parameters: ['cursor', 'limit'], try: '/cursor-header?limit=2 -i', traits: ['pages', 'sized', 'next', 'cursor'], answer: cursorHeader },
  { path: '/link', method: 'GET', kind: 'Link header', parameters: ['page', 'per_page'], try: '/link?per_page=2 -i', traits: ['pages', 'sized', 'counted', 'next', 'link'], answer: pageInLinkHeader },
  { path: '/next-url', method: 'GET', kind: 'next URL in the body', parameters: ['limit'], try: '/next-url?limit=2', traits: ['pages', 'sized', 'next', 'cursor', 'link'], answer: nextUrl },
  { path: '/next-path', method: 'GET', kind: 'next path in the body', parameters: ['limit'], try: '/next-path?limit=2', traits: ['pages', 'sized', 'next', 'cursor'], answer: nextPath },
  { path: '/after', method: 'GET', kind: 'start after a key', parameters: ['after', 'limit'], try: '/after?after=100&limit=2', traits: ['pages', 'sized', 'keyed'], answer: afterKey },
  { path: '/range', method: 'GET', kind: 'offset and limit in one parameter', parameters: ['range'], try: '/range?range=100,2', traits: ['pages', 'sized', 'total'], answer: range },
  { path: '/search', method: 'POST', kind: 'cursor in a JSON body', parameters: ['page.cursor', 'page.size'], try: `/search --json '{"page":{"size":2}}'`, traits: ['pages', 'sized', 'next', 'cursor', 'total'], answer: search },
  { path: '/form', method: 'POST', kind: 'cursor in a form body', parameters: ['cursor', 'size'], try: '/form -d size=2', traits: ['pages', 'sized', 'next', 'cursor'], answer: form },
  { path: '/offset-header', method: 'GET', kind: 'offset and limit in request headers', parameters: ['X-Offset', 'X-Limit'], try: `/offset-header -H 'X-Limit: 2'`, traits: ['pages', 'sized', 'counted', 'total'], answer: offsetHeader },
  { path: '/path/{page}', method: 'GET', kind: 'page number in the path', parameters: ['{page}', 'per_page'], try: '/path/2?per_page=2', traits: ['pages', 'sized', 'total'], answer: pageInPath },
  { path: '/all', method: 'GET', kind: 'not paginated', parameters: [], try: '/all', traits: [], answer: all },
  { path: '/odata', method: 'GET', kind: 'OData', parameters: ['$skip', '$top'], try: '/odata?$top=2', traits: ['pages', 'sized', 'counted', 'next', 'link', 'total'], answer: odata },
  { path: '/jsonapi', method: 'GET', kind: 'JSON:API', parameters: ['page[number]', 'page[size]'], try: '/jsonapi?page[size]=2 -g', traits: ['pages', 'sized', 'counted', 'next', 'link', 'total'], answer: jsonApi },
  { path: '/graphql', method: 'POST', kind: 'GraphQL connection', parameters: ['variables.after', 'variables.first'], try: `/graphql --json '{"query":"{ records }","variables":{"first":2}}'`, traits: ['pages', 'sized', 'next', 'cursor', 'total'], answer: graphql },
  { path: '/calendar', method: 'GET', kind: 'one page a month', parameters: ['month'], try: '/calendar?month=2024-02', traits: ['pages'], answer: calendar },
]

/** Query parameters that every dialect accepts. */
export const everywhere = ['size', 'latency'] as const

const routes = dialects.map((dialect) => ({
  dialect,
  pattern: new RegExp(`^${dialect.path.replace(/\{\w+\}/, '([^/]+)')}$`),
}))

/** The dialect at a path, and the value of its placeholder. */
export function findDialect(path: string): { dialect: Dialect; placeholder: string | undefined } | null {
  for (const { dialect, pattern } of routes) {
    const match = pattern.exec(path)
    if (match) return { dialect, placeholder: match[1] }
  }
  return null
}

/** Where a fault makes sense. */
export function dialectsOf({ suits }: Fault): Dialect[] {
  return dialects.filter(({ traits }) => suits(traits))
}
