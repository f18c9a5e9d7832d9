/** What a verdict is called, and what it means. */

export const verdictNames = {
  complete: 'Complete',
  unproven: 'Not verified',
  incomplete: 'Incomplete',
  duplicated: 'Duplicated',
} as const

export type VerdictName = keyof typeof verdictNames

export const verdictMeanings: Readonly<Record<VerdictName, string>> = {
  complete: 'what was read agrees with what the API reports.',
  unproven: 'the API reports nothing that would prove it.',
  incomplete: 'the API reports more than was read.',
  duplicated: 'records were received more than once.',
}
