/** A template as it is being typed → what it is worth, asked of the server a moment after the last key. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Evaluation, EvaluationRequest } from '../../server/wire/evaluation.ts'
import type { ApiProblem } from '../../server/wire/problem.ts'
import { ask, AskError } from '../api/ask.ts'
import { useInputs } from '../session/inputs.ts'
import { useSession, useSessionStore } from '../session/use-session.tsx'
import { useRested } from '../use-debounced.ts'

export type EvaluationState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'value'; readonly evaluation: Evaluation }
  /** `template` is the one with the problem: by the time it is reported, it may have changed. */
  | { readonly kind: 'problem'; readonly problem: ApiProblem; readonly template: string }
  | { readonly kind: 'no-answer'; readonly message: string }

const restMs = 150
/** The server takes no longer ones. */
const longestTemplate = 100_000

type Asked = Pick<EvaluationRequest, 'as' | 'page'>

/** Outdated requests are cancelled, so what is shown is never older than what was shown before. */
export function useEvaluation(template: string, { as, page }: Asked): EvaluationState {
  const name = useSession((session) => session.name)
  const config = useInputs(name)
  const store = useSessionStore()
  const rested = useRested(template, restMs)
  const asked = { template: rested, as, config, ...(page !== undefined && { page }) } satisfies EvaluationRequest
  const { data } = useQuery({
    queryKey: ['evaluation', asked],
    // The manifest says which inputs are secret, where no page does.
    queryFn: ({ signal }) =>
      evaluate({ ...asked, ...(page === undefined && { text: store.get().document.text }) }, signal),
    enabled: rested !== '' && rested.length <= longestTemplate,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 10_000,
  })
  if (template === '') return { kind: 'waiting' }
  if (template.length > longestTemplate) return { kind: 'no-answer', message: 'The template is too long to evaluate.' }
  return data ?? { kind: 'waiting' }
}

async function evaluate(body: EvaluationRequest, signal: AbortSignal): Promise<EvaluationState> {
  try {
    return { kind: 'value', evaluation: await ask<Evaluation>('POST', '/v1/evaluations', { body, signal }) }
  } catch (error) {
    if (signal.aborted || !(error instanceof AskError)) throw error
    const { problem, message } = error
    return problem === null ? { kind: 'no-answer', message } : { kind: 'problem', problem, template: body.template }
  }
}
