/** One page → everything it claims, in its headers and around its records. */
import { followPath } from '../follow-path.ts'
import { isList, isObject } from '../members.ts'
import { envelopesIn } from './envelopes.ts'
import { claimsIn, type Found } from './find-claims.ts'
import { claimsInHeaders } from './header-claims.ts'
import { lastLinks } from './last-link.ts'
import { ownClaims } from './own/claims.ts'
import type { ClaimRules, PageFacts } from './page-facts.ts'

/** Where to look, of all that a manifest tells. */
export type LookRules = Pick<ClaimRules, 'recordPath' | 'countsRecords' | 'own'>

export function look(page: PageFacts, { recordPath, countsRecords, own }: LookRules): Found {
  const { body, headers, isError, receivedCount } = page
  // An answer that an error rule takes for the end is about the error.
  if (isError) return { numbers: [], nexts: [], previous: [] }
  const envelopes = envelopesIn(body, recordPath)
  // What the manifest looks at comes first; names are evidence where it does not.
  const found = [ownClaims(page, own), claimsInHeaders(headers), ...envelopes.map((envelope) => claimsIn(envelope))]
  const byLinks = lastLinks(headers, envelopes, receivedCount)
  const list = followPath(body, recordPath ?? [])
  // Beside a single thing, a number counts anything but records.
  const mayCount = countsRecords && !isObject(list)
  const numbers = mayCount ? [...found.flatMap((one) => one.numbers), ...byLinks] : []
  return {
    numbers: numbers.slice(0, mostNumbers).filter(({ value }) => !isSumOf(list, value)),
    nexts: found.flatMap(({ nexts }) => nexts),
    previous: found.flatMap(({ previous }) => previous),
  }
}

/** Each is compared with every record: an answer must not make that long by naming many. */
const mostNumbers = 32

/** Whether it adds up a field of the records: a sum of money, not a count. */
function isSumOf(list: unknown, value: number): boolean {
  if (!isList(list) || value <= list.length) return false
  const [first] = list
  if (!isObject(first)) return false
  return Object.keys(first).some((name) => {
    // Other numbers add up to anything by chance: the ids 1 to 5 to 15.
    if (!addable.test(name)) return false
    let sum = 0
    for (const record of list) sum += isObject(record) && typeof record[name] === 'number' ? record[name] : 0
    // Sums of cents come out a hair apart.
    return Math.abs(sum - value) < 0.005
  })
}

const addable = /amount|price|total|cost|fee|tax|balance|cents|value|sum|revenue|quantity/i
