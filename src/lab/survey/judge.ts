/** A read with a fault, compared to one without → which records are missing or duplicated, and whether it is reported. */
import { isAlarm, verdictName } from '../../proof/verdict/verdict-name.ts'
import type { Judgement } from '../../proof/verdict/verdict.ts'
import { count, number } from '../../std/text/format-count.ts'
import type { ReadResult } from './read-first-slice.ts'
import type { FaultOutcome } from './result.ts'

export type JudgedRead = {
  readonly outcome: Exclude<FaultOutcome, 'does not apply'>
  readonly says: string
  readonly expected: number
  readonly missing: number
  readonly doubled: number
}

export function judgeRead(
  { came, verdict, error, isEndless, requests }: ReadResult,
  healthy: readonly string[],
): JudgedRead {
  const arrived = new Set(came)
  const expected = new Set(healthy)
  const counts = {
    expected: expected.size,
    missing: [...expected].filter((one) => !arrived.has(one)).length,
    doubled: came.length - arrived.size,
  }
  const lost = lostSentence(counts)
  if (isEndless)
    return { ...counts, outcome: 'misses', says: `The read had not ended after ${number(requests)} requests.` }
  if (error !== null)
    return { ...counts, outcome: 'reports', says: `The read stops with ${error.code}: ${error.message}` }
  const judgement: Judgement = verdict ?? { verdict: 'unproven', reason: 'nothing was read' }
  const receipt = `the receipt says ${judgementText(judgement)}`
  if (lost === null) {
    const all = `All ${count(counts.expected, 'record')} were read`
    return isAlarm(judgement.verdict)
      ? { ...counts, outcome: 'reports', says: `${all}, but ${receipt}.` }
      : { ...counts, outcome: 'survives', says: `${all}, none twice; ${receipt}.` }
  }
  return { ...counts, outcome: isAlarm(judgement.verdict) ? 'reports' : 'misses', says: `${lost}, and ${receipt}.` }
}

/** Why a stream cannot be surveyed, although no fault was at work; null where it can. */
export function whyUnfit(
  { came, pages, verdict, error, isEndless, unanswered }: ReadResult,
  isPaginated: boolean,
): string | null {
  if (error !== null) return `does not read even without a fault: ${error.message}`
  if (isEndless) return 'does not end even without a fault'
  if (unanswered[0] !== undefined) return `sends a request that the local API cannot serve: ${unanswered[0]}`
  if (came.length === 0) return 'reads no record from the local API'
  if (new Set(came).size < came.length) return 'has records that cannot be distinguished'
  if (isPaginated && pages < 2) return 'reads only one page from the local API'
  return verdict !== null && isAlarm(verdict.verdict)
    ? `gets responses from the local API that contradict each other: ${verdict.reason}`
    : null
}

/** Null where nothing is. */
function lostSentence({
  expected,
  missing,
  doubled,
}: Pick<JudgedRead, 'expected' | 'missing' | 'doubled'>): string | null {
  const of = `of ${count(expected, 'record')}`
  if (missing > 0 && doubled > 0)
    return `${number(missing)} ${of} are missing and ${number(doubled)} ${doubled === 1 ? 'was' : 'were'} read twice`
  if (missing > 0) return `${number(missing)} ${of} ${missing === 1 ? 'is' : 'are'} missing`
  return doubled > 0 ? `${number(doubled)} ${of} ${doubled === 1 ? 'was' : 'were'} read twice` : null
}

function judgementText({ verdict, reason }: Judgement): string {
  return `${verdictName(verdict)}: ${reason}`
}
