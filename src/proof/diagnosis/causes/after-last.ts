/** The hypothesis that pages continue after the key of the last record, which is unique and always present. */
import type { Case, Hypothesis } from '../case.ts'
import type { Evidence } from '../diagnosis.ts'
import { type ManifestPlace, set } from '../manifest-place.ts'
import { keyName } from '../page-summary.ts'

type Said = { readonly says: string; readonly evidence: readonly Evidence[] }

/** None where records have no key of one field, or where an address is followed. */
export function afterLast(
  { read: { plan }, pages, pagination }: Case,
  place: ManifestPlace,
  code: Hypothesis['code'],
  said: Said,
): Hypothesis[] {
  const name = keyName(plan, pages[0])
  const token = pagination.kind === 'cursor' ? pagination.token : null
  if (name === null || token === null || token.into === 'path') return []
  return [
    {
      code,
      why: `whether pages continue after the ${name} of the last record`,
      ...said,
      fix: {
        says: `Continue after the ${name} of the last record.`,
        edits: set(place.strategy, { cursor_value: `{{ last_record[${JSON.stringify(name)}] }}` }),
      },
    },
  ]
}
