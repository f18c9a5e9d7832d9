/** The four verdicts, which of them suffice, and what people read in their place. */

/**
 * From the worst to the best. `incomplete`: the API has more than was received. `duplicated`: records were received twice.
 * `unproven`: nothing shows that it is complete, nothing contradicts it. `complete`: the API's claims show it.
 */
export const verdicts = ['incomplete', 'duplicated', 'unproven', 'complete'] as const

export type Verdict = (typeof verdicts)[number]

/** The verdict on several reads together; null where there is none. */
export function worstVerdict(reads: readonly { readonly verdict: Verdict }[]): Verdict | null {
  return verdicts.find((one) => reads.some(({ verdict }) => verdict === one)) ?? null
}

export const requirements = ['complete', 'unproven'] as const satisfies readonly Verdict[]

/** The lowest verdict that is accepted. */
export type Requirement = (typeof requirements)[number]

export function suffices(verdict: Verdict, required: Requirement): boolean {
  return verdict === 'complete' || verdict === required
}

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
