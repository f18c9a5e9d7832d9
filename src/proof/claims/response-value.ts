/** A page and a place of its answer → the value there. */
import { linksOf } from '../../engine/pagination/link-header.ts'
import { followPath } from '../../std/values/get-at.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import { valueInHeaders } from './header-claims.ts'
import type { PageFacts } from './page-facts.ts'
import type { Place } from './response-place.ts'

type Answer = Pick<PageFacts, 'body' | 'headers'>

export function valueAt({ body, headers }: Answer, [from, ...names]: Place): unknown {
  if (from === 'body') return followPath(body, names)
  const [header, relation] = names
  if (header === 'link') return relation === undefined ? undefined : linksOf(headers.link)[relation]?.url
  return valueInHeaders(headers, names)
}

/** Whether the object that would hold the value is there: only then does its absence say something. */
export function hasHolder({ body, headers, list }: Answer & Pick<PageFacts, 'list'>, [from, ...names]: Place): boolean {
  // A header with several members is an envelope; one that is the cursor itself belongs to the answer.
  if (from === 'header' && names.length > 1) return headers[names[0] ?? ''] !== undefined
  // The body itself is an envelope as long as it holds the list.
  if (names.length <= 1) return list === undefined || list === 'found'
  const holder = followPath(body, names.slice(0, -1))
  return isObject(holder) || isList(holder)
}
