/** A stream of a manifest against a local API with faults → which of them it survives, as events. */
import { loadInSteps } from '../../connector/load-manifest.ts'
import { secretsOf } from '../../engine/secrets/find-secrets.ts'
import { createRedactor } from '../../engine/secrets/redact.ts'
import type { Skipped, SurveyResult } from '../../lab/survey/result.ts'
import { survey } from '../../lab/survey/survey.ts'
import { problemOf } from '../responses.ts'
import { withoutSecretsOf } from '../request-secrets.ts'
import type { ApiProblem } from '../wire/problem.ts'
import type { surveyRequest } from '../wire/survey.ts'
import type { z } from 'zod'
import { progressOf, type WorkTools } from './progress.ts'

export type SurveyEvent =
  | { readonly kind: 'result'; readonly result: SurveyResult }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'end'; readonly skipped: readonly Skipped[]; readonly problem: ApiProblem | null }

export function surveying(
  { text, config, stream }: z.output<typeof surveyRequest>,
  { folder, onEnd }: Omit<WorkTools, 'egress'>,
): AsyncIterableIterator<SurveyEvent> {
  return progressOf<SurveyEvent>({
    waiting: { kind: 'waiting' },
    failed: (error) => ({ kind: 'end', skipped: [], problem: problemOf(withoutSecretsOf({ text, config }, error)) }),
    onEnd,
    async run(send, signal) {
      const redactor = createRedactor(secretsOf(await loadInSteps(text), config))
      try {
        const { skipped } = await survey(text, {
          streams: [stream],
          config,
          signal,
          ...(folder !== null && { folder }),
          onResult: (result) => send({ kind: 'result', result: redactor.value(result) as SurveyResult }),
        })
        return { kind: 'end', skipped: redactor.value(skipped) as readonly Skipped[], problem: null }
      } catch (error) {
        throw redactor.error(error)
      }
    },
  })
}
