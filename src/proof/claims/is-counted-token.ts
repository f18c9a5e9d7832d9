/** A page token → whether it is a count of records or pages, so that records which move can be missed. */
import type { Page } from '../../engine/pages/page.ts'
import { digitsIn, queryOf } from './link-query.ts'
import { isCountingName } from '../names/paging-names.ts'

/** An opaque cursor points at a record. A link from the API may still be a count: `?$skip=100`. */
export function isCounted(token: Page['next']): boolean {
  const query = queryOf(token?.url ?? token?.value)
  return query !== null && [...query].some(([name, value]) => digitsIn(value) !== null && isCountingName(name))
}
