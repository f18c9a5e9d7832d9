/** A run → its way to token endpoints: patient, bound to the endpoint's origin, with refusals told in their own words. */
import type { RefusalPlan } from '../plan/auth-plan.ts'
import { peekJson } from '../response/decode.ts'
import { type HttpResponse, type Send, withPurpose } from '../response/http-response.ts'
import { type ResponseOutcome, answeredWith, described, outcomeOf } from '../response/outcome.ts'
import { withRedirects } from '../response/redirects.ts'
import { withRetry } from '../response/retry.ts'
import { signed } from '../response/signed.ts'
import type { Run } from '../run/run.ts'
import { whatTheEndpointSays } from './token-answer.ts'

const noRefusals: RefusalPlan = { statuses: [], key: '', values: [] }

export type TokenSendOptions = {
  /** Answers that mean: sign in again. */
  readonly refusals?: RefusalPlan
  readonly send?: Send
}

/**
 * What a token request holds goes to the origin of its endpoint and to no other: a redirect elsewhere loses it, and
 * `trustedOrigins` are trusted with the API's credentials, not with what makes them.
 */
export function tokenSend(run: Run, { refusals = noRefusals, send = run.network.send }: TokenSendOptions = {}): Send {
  const { redactor, report, retry, now, sleep, random, reached } = run
  const bound = signed(withPurpose(send, { kind: 'token' }), {
    credentials: { kind: 'none' },
    trusted: [],
    redactor,
    report,
  })
  return withRetry(withRedirects(bound), {
    rules: retry,
    outcomeOf: (response, at) => refusal(response, refusals) ?? outcomeOf(response, at),
    sleep,
    random,
    now,
    report,
    reached,
    addressField: 'the address of the token endpoint',
  })
}

/** No token will come of asking again: the endpoint wants other credentials. */
function refusal(response: HttpResponse, refusals: RefusalPlan): ResponseOutcome | null {
  const body = peekJson(response)?.value
  const isExpected = isListed(response, body, refusals)
  if (!isExpected && outcomeOf(response, 0).kind !== 'fail') return null
  const said = whatTheEndpointSays(body)
  const what = said === null ? described(response) : `${answeredWith(response)} and says: ${said}`
  return {
    kind: 'fail',
    code: 'request/token-refused',
    message: `No access token was given: ${what}`,
    failureType: 'config_error',
    ...(isExpected && { hint: 'Sign in again: the refresh token has expired or was revoked.' }),
  }
}

function isListed({ status }: HttpResponse, body: unknown, { statuses, key, values }: RefusalPlan): boolean {
  if (!statuses.includes(status) || typeof body !== 'object' || body === null || !Object.hasOwn(body, key)) return false
  return values.includes(String((body as Record<string, unknown>)[key]))
}
