/** What became of a stream under each fault, summed up in words. */
import type { SurveyResult } from '../../server/wire/survey.ts'

export type FaultOutcome = SurveyResult['outcome']

export const outcomeWords: Readonly<Record<FaultOutcome, { readonly label: string; readonly meaning: string }>> = {
  'is fooled': { label: 'Fooled', meaning: 'Records are missing or doubled, and nothing says so.' },
  tells: { label: 'Tells', meaning: 'Something went wrong, and the read says so.' },
  survives: { label: 'Survives', meaning: 'Every record came, none twice.' },
  'does not apply': {
    label: 'Does not apply',
    meaning: 'The fault makes no sense for how these pages follow each other.',
  },
}

/** What needs attention first. */
const order: readonly FaultOutcome[] = ['is fooled', 'tells', 'survives', 'does not apply']

export function byOutcome(results: readonly SurveyResult[]): SurveyResult[] {
  return results.toSorted((one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome))
}

/** `Survives 12 of 16 faults, tells of 4, fooled by none` */
export function surveyWords(results: readonly SurveyResult[]): string {
  const having = (outcome: FaultOutcome) => results.filter((one) => one.outcome === outcome).length
  const tried = results.length - having('does not apply')
  const [told, fooled] = [having('tells') || 'none', having('is fooled') || 'none']
  return `Survives ${having('survives')} of ${tried} faults, tells of ${told}, fooled by ${fooled}`
}
