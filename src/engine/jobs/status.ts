/** An answer about a job → what the manifest says of its status, and what it names for download. */
import { ConnectorError } from '../../errors.ts'
import type { JobPlan, JobStatus } from '../plan/job-plan.ts'
import type { Config } from '../plan/plan.ts'
import { valuesAt } from '../records/select.ts'
import { visible } from '../response/decode.ts'
import { placeOf } from '../response/decode.ts'
import { pythonText } from '../template/text.ts'
import type { JobAnswer } from './job.ts'

/** The API's own word beside its meaning. */
export type Status = { readonly word: string; readonly meaning: JobStatus }

export function statusOf(plan: JobPlan, answer: JobAnswer, config: Config): Status {
  const [first = null] = valuesAt(plan.status, config, answer.decoded.value)
  // Airbyte: no status at all is the word `None`, which a mapping may hold.
  const word = pythonText(first)
  const meaning = Object.hasOwn(plan.meanings, word) ? plan.meanings[word] : undefined
  if (meaning === undefined) throw unknownStatus(plan, answer, first === null ? null : word)
  return { word: visible(word.slice(0, longestWord)), meaning }
}

/** Every target the answer names, in order; where the manifest extracts none, one download without a name. */
export function targetsIn(plan: JobPlan, answer: JobAnswer, config: Config): readonly unknown[] {
  return plan.targets === null ? [''] : valuesAt(plan.targets, config, answer.decoded.value)
}

const longestWord = 100

function unknownStatus(
  { status, meanings, at }: JobPlan,
  { response }: JobAnswer,
  word: string | null,
): ConnectorError {
  const path = status.path.map(({ source }) => source).join('.')
  const found = word === null ? 'no status' : `the status \`${visible(word.slice(0, longestWord))}\``
  const known = Object.entries(meanings).map(([one, meaning]) => `${one} (${meaning})`)
  const message = `${placeOf(response)} answered with ${found} at \`${path}\`; \`status_mapping\` knows ${known.join(', ') || 'none'}.`
  return new ConnectorError('jobs/unknown-status', message, { at })
}
