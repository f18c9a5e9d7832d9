/** A manifest's error rules + a response → what the response means. */
import { ConnectorError } from '../../../std/errors.ts'
import type { CustomPlan } from '../../custom/component.ts'
import type { ErrorRules, ResponseAction, ResponseFilter } from '../../plan/error-handler.ts'
import type { Config } from '../../plan/plan.ts'
import { HeaderDict } from '../../template/host.ts'
import type { Scope } from '../../template/template.ts'
import { pythonText } from '../../template/text.ts'
import { searchableMessage } from '../body-message.ts'
import { peekJson, visible } from '../decode.ts'
import type { HttpResponse } from '../http-response.ts'
import { answeredWith, described, type ResponseOutcome, outcomeOf, retryOutcome } from '../outcome.ts'
import { answerContext } from './response-context.ts'
import { askClass, type Handlers, isLastWord, retryAs, waitOf } from './judge-with-class.ts'

/**
 * What answers mean by these rules, and by their status where no rule speaks.
 *
 * @example outcomeWith(plan.requester.errors.rules, config)(response, Date.now()) // { kind: 'ignore', … }
 */
export function outcomeWith(
  rules: ErrorRules,
  config: Config,
  handlers: Handlers = new Map(),
): (response: HttpResponse, now: number) => ResponseOutcome {
  return (response, now) => judge(rules, { response, now, config, handlers }).outcome
}

type Case = {
  readonly response: HttpResponse
  readonly now: number
  readonly config: Config
  readonly handlers: Handlers
}

/** `isLastWord`: rules that would be asked next are not. */
type Judgement = { readonly outcome: ResponseOutcome; readonly isLastWord: boolean }

function judge(rules: ErrorRules, given: Case): Judgement {
  switch (rules.kind) {
    case 'filters': {
      const filter = rules.filters.find((candidate) => matches(candidate, given))
      return filter === undefined ? judgeByStatus(given) : judgeBy(filter, given)
    }
    case 'custom':
      return judgeByClass(rules.custom, given) ?? judge(rules.otherwise, given)
    case 'in-turn': {
      let judgement = judgeByStatus(given)
      for (const member of rules.members) {
        judgement = judge(member, given)
        if (judgement.isLastWord) break
      }
      return judgement
    }
  }
}

/** Airbyte: what a status means by itself ends the turn of several handlers too, save for refusals and rate limits. */
function judgeByStatus({ response, now }: Case): Judgement {
  const outcome = outcomeOf(response, now)
  // A status that carries no list is our own concern: handlers that come later may well have a rule for it.
  const isOurs = outcome.kind === 'retry' && outcome.code !== undefined
  return { outcome, isLastWord: outcome.kind !== 'fail' && response.status !== 429 && !isOurs }
}

function matches({ statuses, when, saying, parameters }: ResponseFilter, given: Case): boolean {
  return (
    statuses.includes(given.response.status) ||
    (when !== null && when.evaluate(scopeOf(given, parameters), 'boolean') === true) ||
    (saying !== null && searchableMessage(given.response).includes(saying))
  )
}

function judgeBy(filter: ResponseFilter, given: Case): Judgement {
  const words = messageOf(filter, given)
  const outcome = filter.action === 'fail' ? failure(filter, given, words) : outcomeFor(filter.action, given, words)
  return { outcome, isLastWord: isLastWord(filter.action) }
}

/** Null when the class has no opinion. */
function judgeByClass(custom: CustomPlan, given: Case): Judgement | null {
  const { response, handlers } = given
  const said = askClass(custom, handlers, { response: answerContext(response), error: null })
  if (said === null) return null
  const { action, message = '', failureType = null } = said
  const words = wordsAbout(response, message)
  const rule = { message: message || null, failureType, at: custom.at }
  const outcome = action === 'fail' ? failure(rule, given, words) : outcomeFor(action, given, words)
  return {
    outcome: outcome.kind === 'retry' ? { ...outcome, ...waitOf(said) } : outcome,
    isLastWord: isLastWord(action),
  }
}

function outcomeFor(action: Exclude<ResponseAction, 'fail'>, { response, now }: Case, words: string): ResponseOutcome {
  switch (action) {
    case 'accept':
    case 'ignore':
      // Airbyte: both say only that this is no failure; records are read only below status 400.
      if (response.status >= 400) return { kind: 'ignore', reason: words }
      return { kind: 'accept', byRule: true, ...(action === 'ignore' && { lacksList: true }) }
    case 'reset':
    case 'smaller-page':
    case 'smaller-window':
      return { kind: action, reason: words }
    case 'retry':
    case 'rate-limited':
    case 'refresh':
      return retryAs(action, retryOutcome(response, now, words))
  }
}

type Refusal = { readonly message: unknown } & Pick<ResponseFilter, 'failureType' | 'at'>

function failure({ message, failureType, at }: Refusal, { response, now }: Case, words: string): ResponseOutcome {
  const usual = outcomeOf(response, now)
  const hint =
    message === null && usual.kind === 'fail' ? usual.hint : 'The manifest takes this response for a failure.'
  return {
    kind: 'fail',
    code: 'response/rejected',
    message: words,
    at,
    ...(hint !== undefined && { hint }),
    ...(failureType !== null && { failureType }),
  }
}

const longestMessage = 1000

/** The author's words, and who answered what; without them, what the body says. */
function messageOf({ message, parameters }: ResponseFilter, given: Case): string {
  const words = message === null ? '' : tryText(() => message.evaluate(scopeOf(given, parameters)))
  return wordsAbout(given.response, words)
}

function wordsAbout(response: HttpResponse, words: string): string {
  if (words === '') return described(response)
  return `${visible(words.slice(0, longestMessage))} (${answeredWith(response)})`
}

/** A message that cannot be written must not hide the failure it is about. */
function tryText(evaluate: () => unknown): string {
  try {
    return pythonText(evaluate() ?? '').trim()
  } catch (error) {
    if (error instanceof ConnectorError) return ''
    throw error
  }
}

function scopeOf({ response, config }: Case, parameters: ResponseFilter['parameters']): Scope {
  const json = peekJson(response)
  return {
    config,
    parameters,
    response: json === null ? {} : json.value,
    headers: HeaderDict.fromPlain(response.headers),
  }
}
