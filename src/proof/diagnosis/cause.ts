/** What looks for a cause: a symptom it knows, and what the API answers when it is asked again. */
import type { Case } from './case.ts'
import type { Evidence, Finding } from './diagnosis.ts'
import type { TrialTools } from './trial.ts'

/** Null where its symptom is not there, or where nothing was shown. */
export type Cause = (subject: Case, tools: TrialTools) => Promise<Finding | null>

type Said = Pick<Finding, 'code' | 'fault' | 'says' | 'advice'> & { readonly evidence: readonly Evidence[] }

export function withoutFix(said: Said): Finding {
  return { ...said, fix: null }
}

/** Evidence on some pages of the read. */
export function seen(says: string, ...pages: readonly { readonly number: number }[]): Evidence {
  return { says, pages: pages.map(({ number }) => number) }
}
