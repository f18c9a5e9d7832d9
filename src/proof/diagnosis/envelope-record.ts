/** A record that is none: the object around a list of records, with what the API says about their pages. */
import { isObject } from '../../std/values/objects.ts'
import { isThing } from '../claims/claim-names.ts'
import { namedClaims } from './named-claims.ts'
import { type RecordList, recordListsIn } from './record-lists.ts'

/** The lists inside, the likeliest first; none where it may be a thing of its own, such as an invoice with its lines. */
export function listsInEnvelope(value: unknown): RecordList[] {
  if (!isObject(value)) return []
  const lists = recordListsIn(value)
  const [best] = lists
  if (best === undefined) return []
  const { numbers, nexts } = namedClaims({ answer: { body: value, headers: {} } }, listPath(best))
  const counts = numbers.some((one) => one.counts === 'pages' || (one.isNamed && one.value >= best.length))
  // An invoice has a total too, but no next page.
  return nexts.length > 0 || (counts && !isThing(value)) ? lists : []
}

/** The path of the list itself: `edges`, where the records are at `edges.*.node`. */
function listPath({ path }: RecordList): readonly string[] {
  const star = path.indexOf('*')
  return star === -1 ? path : path.slice(0, star)
}
