/** What was received and what the API claims → a verdict on one slice, with its reason for people. */
import { byEnding, byNext } from './by-ending.ts'
import { byTotal } from './by-total.ts'
import type { Claims } from './claims.ts'
import type { Judgement, SliceEvidence } from './evidence.ts'
import { count, number } from '../words.ts'

/** Prefers `unproven` to an alarm that may be wrong: only the API's own words, or records seen twice, speak against a walk. */
export function judgeSlice(evidence: SliceEvidence): Judgement {
  const { stop, claims, keys = null, rules } = evidence
  if (stop === 'limit') return { verdict: 'incomplete', reason: 'stopped at the limit of pages' }
  if (stop === 'error') return judgeFailure(evidence.error)
  const judged = claims === null ? unheard : byClaims(evidence, claims)
  if (judged.verdict === 'incomplete') return { ...judged, reason: judged.reason + capped(evidence) }
  const page = keys?.repeatedPage ?? null
  if (page !== null && !rules.mayStartAgain) {
    return { verdict: 'duplicated', reason: `page ${number(page)} brought only records of earlier pages` }
  }
  if (stop === 'read-before' && judged.verdict !== 'complete') {
    return { verdict: 'unproven', reason: 'read up to the records of an earlier read' }
  }
  if (rules.isOfDownloads && judged.verdict === 'complete') {
    return { verdict: 'unproven', reason: 'the last download says that it is whole, and speaks for no other' }
  }
  const again = keys === null ? 0 : keys.repeated - keys.changed
  if (again > 0 && rules.mayStartAgain) {
    const reason = `${judged.reason}, but ${count(again, 'record')} came more than once, as its pages may start again`
    return { ...judged, verdict: 'unproven', reason }
  }
  // Where one record was moved back while the walk went on, another may have been moved past it: even a total that is met shows nothing.
  if (again > 0 && judged.verdict !== 'duplicated') {
    // A field that was taken for the key may well repeat.
    if (keys?.isAssumed === true) return doubted(judged, again)
    const reason = `${count(again, 'record')} came more than once`
    return { verdict: 'duplicated', reason: judged.verdict === 'complete' ? `${judged.reason}, but ${reason}` : reason }
  }
  return judged
}

function doubted(judged: Judgement, again: number): Judgement {
  if (judged.verdict !== 'complete') return judged
  return {
    ...judged,
    verdict: 'unproven',
    reason: `${judged.reason}, but ${count(again, 'record')} came more than once`,
  }
}

/** A walk that an error ended, whatever its pages say. */
export function judgeFailure(code: string | undefined): Judgement {
  return { verdict: 'incomplete', reason: `ended by an error${code === undefined ? '' : `: ${code}`}` }
}

/** A walk that somebody ended. */
export const judgedCancelled: Judgement = { verdict: 'incomplete', reason: 'it was cancelled' }

const unheard: Judgement = { verdict: 'unproven', reason: 'the API was not heard' }

function byClaims(evidence: SliceEvidence, claims: Claims): Judgement {
  if (evidence.isResumed !== true) return byTotal(evidence, claims) ?? byEnding(evidence, claims)
  // What came before is somebody else's to count.
  const next = byNext(evidence, claims)
  return next?.verdict === 'incomplete' ? next : { verdict: 'unproven', reason: 'begun in the middle of the slice' }
}

/** A first page that is smaller than asked for, and more behind it: the API has a largest size of its own. */
function capped({ stop, claims, rules: { askedSize } }: SliceEvidence): string {
  if (claims === null || askedSize === null || claims.pages !== 1 || claims.firstPageSize === 0) return ''
  if (claims.firstPageSize >= askedSize || (stop !== 'short-page' && stop !== 'stop-condition')) return ''
  return `; it sends at most ${number(claims.firstPageSize)} a page where ${number(askedSize)} were asked for`
}
