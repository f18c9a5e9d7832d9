/** What a verdict is called, and what it means. */

export const verdictNames = {
  complete: 'Complete',
  unproven: 'Unproven',
  incomplete: 'Incomplete',
  duplicated: 'Duplicated',
} as const

export type VerdictName = keyof typeof verdictNames

export const verdictMeanings: Readonly<Record<VerdictName, string>> = {
  complete: 'what was read agrees with what the API says there is.',
  unproven: 'the API says nothing that would prove that this is all.',
  incomplete: 'the API says there is more than was read.',
  duplicated: 'records were received more than once.',
}
