/** The first page is shorter than was asked for, and is taken for the last one: the API may have a maximum. */
import type { Case, Hypothesis } from '../case.ts'
import { type Examine, seen, withoutFix } from '../examine.ts'
import type { ManifestPlace } from '../manifest-place.ts'
import { set } from '../manifest-place.ts'
import { tryInOrder } from '../trial.ts'
import { count, number } from '../../../words.ts'

export const cappedSize: Examine = async (subject, tools) => {
  const { receipt, pages, place } = subject
  const size = askedSize(subject)
  const [first] = pages
  const isFirstShort = receipt?.stop === 'short-page' && pages.length === 1 && first !== undefined && first.received > 0
  if (!isFirstShort || size === null || first.received >= size) return null
  const isKnown = receipt.verdict === 'incomplete'
  // Without a word of the API only a round number is worth a request: caps are round, ends seldom are.
  if (!isKnown && (receipt.verdict === 'complete' || !isRound(first.received))) return null
  const { received } = first
  const says = `Asked for ${number(size)} records, the API sends ${number(received)}, and the short page passes for the last.`
  const evidence = [
    seen(`Page 1 was asked for ${number(size)} records and brought ${number(received)}.`, first),
    ...(isKnown ? [seen(`There is more: ${receipt.reason}${at(receipt.at)}.`, first)] : []),
  ]
  const hypothesis = place && smaller(subject, place, { says, evidence, received })
  const found = hypothesis && (await tryInOrder(subject, [hypothesis], tools))
  if (found !== null || !isKnown) return found
  return place !== null
    ? null
    : withoutFix({
        code: 'missing/page-size-capped',
        fault: 'manifest',
        says,
        evidence,
        advice: `Set page_size to ${received}. ${subject.whyNot}`,
      })
}

function at(place: string | undefined): string {
  return place === undefined ? '' : ` (${place})`
}

/** The number of records that ends the walk when a page has fewer. */
export function askedSize({ pagination }: Pick<Case, 'pagination'>): number | null {
  if (pagination.kind !== 'offset' && pagination.kind !== 'page') return null
  return typeof pagination.pageSize === 'number' ? pagination.pageSize : null
}

function isRound(received: number): boolean {
  return received >= 10 && (received % 10 === 0 || received % 25 === 0 || Number.isInteger(Math.log2(received)))
}

type Seen = Pick<Hypothesis, 'says' | 'evidence'> & { readonly received: number }

function smaller({ pagination }: Case, { strategy }: ManifestPlace, { says, evidence, received }: Seen): Hypothesis {
  const value = pagination.kind === 'page' ? pagination.firstPage + 1 : received
  return {
    code: 'missing/page-size-capped',
    why: `whether more follows when ${count(received, 'record')} a page are asked for`,
    says,
    evidence,
    fix: { says: `Set page_size to ${received}.`, edits: set(strategy, { page_size: received }) },
    firstTry: { value },
  }
}
