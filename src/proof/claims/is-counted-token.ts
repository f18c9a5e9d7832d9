/** What asks for the next page → whether it counts records or pages, so that rows which move slip past it. */
import type { Page } from '../../engine/pages/page.ts'
import { digitsIn, queryOf } from './link-query.ts'
import { isCountingName } from '../names/paging-names.ts'

/** An opaque cursor stands by a record and stays there. A link that the API gave out may count all the same: `?$skip=100`. */
export function isCounted(token: Page['next']): boolean {
  const query = queryOf(token?.url ?? token?.value)
  return query !== null && [...query].some(([name, value]) => digitsIn(value) !== null && isCountingName(name))
}
