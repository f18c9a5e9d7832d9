/** The hypothesis that the next page is the current page number plus one, where the cursor is another number. */
import type { Case, Hypothesis } from '../case.ts'
import type { Evidence } from '../diagnosis.ts'
import { type ManifestPlace, set } from '../manifest-place.ts'
import { pageNumberingIn } from '../page-number.ts'
import { readPlaces } from '../missing-paths.ts'

type Said = { readonly says: string; readonly evidence: readonly Evidence[] }

/** None where the response does not say which page it is. */
export function nextNumber(
  { pagination, pages, read }: Case,
  place: ManifestPlace,
  code: Hypothesis['code'],
  said: Said,
): Hypothesis[] {
  const [first] = pages
  const counted = first === undefined ? null : pageNumberingIn(first, read.rules.recordPath)
  if (first === undefined || counted === null || pagination.kind !== 'cursor' || pagination.token?.into === 'path')
    return []
  const { stopWhen } = pagination
  const isStopRight = stopWhen !== null && readPlaces(stopWhen.source, first).missing.length === 0
  const stop = isStopRight ? {} : { stop_condition: counted.isLast ?? '{{ last_page_size == 0 }}' }
  return [
    {
      code,
      why: `whether the page after ${counted.at} is the next one`,
      ...said,
      fix: {
        says: `Continue counting from ${counted.at}: \`${counted.next}\`.`,
        edits: set(place.strategy, { cursor_value: counted.next, ...stop }),
      },
      shortRead: 2,
    },
  ]
}
