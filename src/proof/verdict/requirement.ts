/** The least that a verdict may say. */
import type { Verdict } from './verdict.ts'

export type Requirement = 'complete' | 'unproven'

export const requirements: readonly Requirement[] = ['complete', 'unproven']

export function suffices(verdict: Verdict, required: Requirement): boolean {
  return verdict === 'complete' || verdict === required
}
