/** A plan for errors + the connector's own classes → what retries need to know. */
import { type CustomPlan, instantiate } from '../custom/component.ts'
import type { ErrorPlan, ErrorRules } from '../plan/errors.ts'
import type { RetryTools } from '../response/retry.ts'
import { BackoffStrategy } from '../response/rules/backoff-strategy.ts'
import { ErrorHandler } from '../response/rules/error-handler.ts'
import { failureOutcomeWith } from '../response/rules/judge-with-class.ts'
import { outcomeWith } from '../response/rules/outcome-with.ts'
import { waitWith } from '../response/rules/wait-with.ts'
import type { Run } from '../run/run.ts'

export type OpenErrors = Required<Pick<RetryTools, 'outcomeOf' | 'outcomeOfFailure' | 'waitAfter'>> & {
  readonly maxRetries: number
}

export async function openErrors(run: Run, { rules, waits, maxRetries }: ErrorPlan): Promise<OpenErrors> {
  const handlers = new Map<CustomPlan, ErrorHandler>()
  for (const custom of classesIn(rules)) handlers.set(custom, await instantiate(custom, ErrorHandler, run))
  const strategies = new Map<CustomPlan, BackoffStrategy>()
  for (const wait of waits) {
    if (wait.kind === 'custom') strategies.set(wait.custom, await instantiate(wait.custom, BackoffStrategy, run))
  }
  const first = firstOf(rules)
  const own = first.kind === 'custom' ? handlers.get(first.custom)?.maxRetries : null
  return {
    outcomeOf: outcomeWith(rules, run.config, handlers),
    outcomeOfFailure: failureOutcomeWith(rules, handlers),
    waitAfter: waitWith(waits, strategies),
    maxRetries: own ?? maxRetries,
  }
}

function classesIn(rules: ErrorRules): CustomPlan[] {
  if (rules.kind === 'in-turn') return rules.members.flatMap(classesIn)
  return rules.kind === 'custom' ? [rules.custom] : []
}

/** Airbyte: of several handlers the first one's number of tries counts for all. */
function firstOf(rules: ErrorRules): ErrorRules {
  const first = rules.kind === 'in-turn' ? rules.members[0] : undefined
  return first === undefined ? rules : firstOf(first)
}
