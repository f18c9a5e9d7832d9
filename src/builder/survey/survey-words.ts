/** The outcome of each fault, in words. */
import type { SurveyResult } from '../../server/wire/survey.ts'

export type SurveyOutcome = SurveyResult['outcome']

export const outcomeWords: Readonly<Record<SurveyOutcome, { readonly label: string; readonly meaning: string }>> = {
  misses: { label: 'Misses', meaning: 'Records are missing or duplicated, and nothing reports it.' },
  reports: { label: 'Reports', meaning: 'Something went wrong, and the read reports it.' },
  survives: { label: 'Survives', meaning: 'Every record was read once.' },
  'does not apply': {
    label: 'Does not apply',
    meaning: 'The fault makes no sense for this pagination.',
  },
}

/** What needs attention first. */
const order: readonly SurveyOutcome[] = ['misses', 'reports', 'survives', 'does not apply']

export function byOutcome(results: readonly SurveyResult[]): SurveyResult[] {
  return results.toSorted((one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome))
}

/** `Survives 12 of 16 faults, reports 4, misses none` */
export function surveyWords(results: readonly SurveyResult[]): string {
  const having = (outcome: SurveyOutcome) => results.filter((one) => one.outcome === outcome).length
  const tried = results.length - having('does not apply')
  const [reported, missed] = [having('reports') || 'none', having('misses') || 'none']
  return `Survives ${having('survives')} of ${tried} faults, reports ${reported}, misses ${missed}`
}
