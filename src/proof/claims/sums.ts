/** One page → whether what is called a total adds up something else than records: then it is a sum on the other pages too. */
import { Float } from '../../std/json.ts'
import { meaningsOf } from './claim-names.ts'
import { envelopesIn } from './envelopes.ts'
import { wholeNumber } from './envelope-claims.ts'
import type { ClaimRules, PageFacts } from './page-facts.ts'

/** `total: 12.5` counts no records, even where the next page says `total: 25`. */
export function hasSum({ body }: PageFacts, { recordPath }: ClaimRules): boolean {
  return envelopesIn(body, recordPath).some(({ members }) =>
    Object.keys(members).some(
      (name) => isFraction(members[name]) && meaningsOf(name).some(({ kind }) => kind === 'total'),
    ),
  )
}

function isFraction(value: unknown): boolean {
  return (typeof value === 'number' || value instanceof Float) && wholeNumber(value) === null
}
