/** Pages that go on after the key of the last record: what no two records share, and every record has. */
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
      why: `whether pages go on after the ${name} of the last record`,
      ...said,
      fix: {
        says: `Go on after the ${name} of the last record.`,
        edits: set(place.strategy, { cursor_value: `{{ last_record[${JSON.stringify(name)}] }}` }),
      },
    },
  ]
}
