/** A JSON body → whether it is a GraphQL request. */
import { isObject } from '../../std/values/objects.ts'

/** Other bodies have a `query` too: words to search for. */
export function isGraphqlBody(json: unknown): boolean {
  return isObject(json) && typeof json.query === 'string' && /[{(]/.test(json.query)
}
