/** The four verdicts, and what people read in their place. */

/**
 * `complete`: the API's claims show it. `unproven`: nothing shows it, nothing contradicts it. `duplicated`: records
 * were received twice. `incomplete`: the API has more than was received.
 */
export type Verdict = 'complete' | 'unproven' | 'duplicated' | 'incomplete'

/** What people read in place of the verdict's name. */
export function verdictName(verdict: Verdict): string {
  return verdict === 'unproven' ? 'not verified' : verdict
}

/** `complete (total 12,441)`, `not verified: the API reports no total` */
export function sayVerdict({ verdict, reason }: { readonly verdict: Verdict; readonly reason: string }): string {
  return verdict === 'complete' ? `complete (${reason})` : `${verdictName(verdict)}: ${reason}`
}

/** Whether the read needs attention. */
export function isAlarm(verdict: Verdict): boolean {
  return verdict === 'incomplete' || verdict === 'duplicated'
}
