/** A cause of a fault: finds its symptom in a read, and confirms it with a few more requests. */
import type { Case } from './case.ts'
import type { Evidence, Finding } from './diagnosis.ts'
import type { TrialTools } from './trial.ts'

/** Null where the symptom is absent, or not confirmed. */
export type Cause = (subject: Case, tools: TrialTools) => Promise<Finding | null>

type Said = Pick<Finding, 'code' | 'fault' | 'says' | 'advice'> & { readonly evidence: readonly Evidence[] }

export function withoutFix(said: Said): Finding {
  return { ...said, fix: null }
}

/** Evidence on some pages of the read. */
export function seen(says: string, ...pages: readonly { readonly number: number }[]): Evidence {
  return { says, pages: pages.map(({ number }) => number) }
}
