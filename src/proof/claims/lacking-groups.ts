/** A page whose properties were requested in several groups → whether a group is without records that the others have. */
import type { Claims } from './merge-claims.ts'
import { pageClaims } from './page-claims.ts'
import type { ClaimRules, GroupFacts, PageFacts } from './page-facts.ts'
import { placeName } from './response-place.ts'

export function lackingGroups(
  before: Claims,
  { lacking }: PageFacts,
  rules: ClaimRules,
  page: number,
): Pick<Claims, 'lacking'> {
  const known = before.lacking
  if (lacking === undefined || known?.isShown === true) return known === undefined ? {} : { lacking: known }
  const isShown = isLost(lacking.groups, rules)
  return { lacking: known === undefined || isShown ? { page, records: lacking.records, isShown } : known }
}

/**
 * A report leaves out rows without a value, so that in one of many slices a group may well be empty. Where it counts as many records as a group
 * that has more of them, some are missing.
 */
function isLost(groups: readonly GroupFacts[], rules: ClaimRules): boolean {
  const most = Math.max(...groups.map(({ receivedCount }) => receivedCount))
  const fewer = groups.filter(({ receivedCount }) => receivedCount < most)
  if (!rules.isSliced && fewer.some(({ receivedCount }) => receivedCount === 0)) return true
  if (fewer.length === 0) return false
  const full = groups.filter(({ receivedCount }) => receivedCount === most).flatMap((group) => totalsOf(group, rules))
  return fewer.some((group) => totalsOf(group, rules).some((total) => full.includes(total)))
}

/** As text: what the API calls a total of records, and where. */
function totalsOf({ body, headers, receivedCount }: GroupFacts, rules: ClaimRules): string[] {
  const facts: PageFacts = { body, headers, receivedCount, part: 0, isLast: true, isError: false }
  return pageClaims(facts, rules)
    .numbers.filter(({ counts, isNamed, value }) => counts === 'records' && isNamed && value > 0)
    .map(({ place, value }) => `${placeName(place)} ${value}`)
}
