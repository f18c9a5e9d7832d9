/** An answer about a job → what the manifest says of its status, and what it names for download. */
import { ConnectorError } from '../../std/errors.ts'
import type { JobPlan, JobStatus } from '../plan/job.ts'
import type { Config } from '../plan/plan.ts'
import type { Instances } from '../custom/component.ts'
import { extract } from '../records/extract.ts'
import { placeOf, visible } from '../response/decode.ts'
import type { Slice } from '../slices/slice.ts'
import { pythonText } from '../template/text.ts'
import type { JobAnswer } from './job.ts'

/** The API's own word beside its meaning. */
export type Status = { readonly word: string; readonly meaning: JobStatus }

/** What extracting needs besides its plan. */
export type AnswerTools = { readonly config: Config; readonly slice: Slice; readonly instances: Instances }

export function statusOf(plan: JobPlan, answer: JobAnswer, tools: AnswerTools): Status {
  const [first = null] = extract(plan.status, answer.decoded.value, tools).found
  // Airbyte: no status at all is the word `None`, which a mapping may hold.
  const word = pythonText(first)
  const meaning = Object.hasOwn(plan.meanings, word) ? plan.meanings[word] : undefined
  if (meaning === undefined) throw unknownStatus(plan, answer, first === null ? null : word)
  return { word: visible(word.slice(0, longestWord)), meaning }
}

/** Every target the answer names, in order; where the manifest extracts none, one download without a name. */
export function targetsIn(plan: JobPlan, answer: JobAnswer, tools: AnswerTools): readonly unknown[] {
  return plan.targets === null ? [''] : extract(plan.targets, answer.decoded.value, tools).found
}

const longestWord = 100

function unknownStatus(
  { status, meanings, at }: JobPlan,
  { response }: JobAnswer,
  word: string | null,
): ConnectorError {
  const path = status.kind === 'custom' ? status.className : status.path.map(({ source }) => source).join('.')
  const found = word === null ? 'no status' : `the status \`${visible(word.slice(0, longestWord))}\``
  const known = Object.entries(meanings).map(([one, meaning]) => `${one} (${meaning})`)
  const message = `${placeOf(response)} answered with ${found} at \`${path}\`; \`status_mapping\` knows ${known.join(', ') || 'none'}.`
  return new ConnectorError('jobs/unknown-status', message, { at })
}
