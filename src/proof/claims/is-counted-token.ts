/** A page token → whether it is a count of records or pages, so that records which move can be missed. */
import type { Page } from '../../engine/pages/page.ts'
import { digitsIn, linkQuery } from './link-query.ts'
import { isCountingName } from '../names/paging-names.ts'

/** An opaque cursor points at a record. A link from the API may still be a count: `?$skip=100`. */
export function isCountedToken(token: Page['next']): boolean {
  const query = linkQuery(token?.url ?? token?.value)
  return query !== null && [...query].some(([name, value]) => digitsIn(value) !== null && isCountingName(name))
}
