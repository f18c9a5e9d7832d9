/** What was received and what the API claims → a verdict on one slice, with its reason for people. */
import { byEnding } from './by-ending.ts'
import { byTotal } from './by-total.ts'
import type { Judgement, SliceEvidence } from './evidence.ts'
import { count, number } from '../words.ts'

/** Prefers `unproven` to an alarm that may be wrong: only the API's own words, or records seen twice, speak against a walk. */
export function judgeSlice(evidence: SliceEvidence): Judgement {
  const { stop, claims, keys = null } = evidence
  if (stop === 'limit') return { verdict: 'incomplete', reason: 'stopped at the limit of pages' }
  if (stop === 'error') return judgeFailure(evidence.error)
  const page = keys?.repeatedPage ?? null
  const judged = claims === null ? unheard : (byTotal(evidence, claims) ?? byEnding(evidence, claims))
  if (judged.verdict === 'incomplete') return judged
  if (page !== null) {
    return { verdict: 'duplicated', reason: `page ${number(page)} brought only records of earlier pages` }
  }
  if (stop === 'read-before' && judged.verdict !== 'complete') {
    return { verdict: 'unproven', reason: 'read up to the records of an earlier read' }
  }
  const again = keys === null ? 0 : keys.repeated - keys.changed
  if (judged.verdict === 'complete' && again > 0) {
    const reason = `${judged.reason}, but ${count(again, 'record')} came more than once`
    return { ...judged, verdict: 'unproven', reason }
  }
  return judged
}

/** A walk that an error ended, whatever its pages say. */
export function judgeFailure(code: string | undefined): Judgement {
  return { verdict: 'incomplete', reason: `ended by an error${code === undefined ? '' : `: ${code}`}` }
}

const unheard: Judgement = { verdict: 'unproven', reason: 'the API was not heard' }
