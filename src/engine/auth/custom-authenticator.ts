/** A custom authenticator: its base class, and how what it returns is put into requests and hidden. */
import { awaitCustom, CustomComponent, type CustomPlan, instantiate } from '../custom/component.ts'
import { objectOf, givenText } from '../custom/check-returned.ts'
import type { Parameters } from '../plan/plan.ts'
import { encodeJson } from '../request/encode-json.ts'
import { type HttpRequest, withHeader } from '../request/http-request.ts'
import { encodePairs, resolveUrl } from '../request/url.ts'
import { untilAborted } from '../response/until-aborted.ts'
import type { Run } from '../run/run.ts'
import { compileTemplate } from '../template/template.ts'
import { authScope, type Credentials } from './credentials.ts'
import { authIdentity, createKeeper, type TokenKeeper } from './keep-token.ts'
import { authenticate, withoutPairs } from './sign-request.ts'
import { decodeTokenResponse, renewalBefore, tokenSend, usualLifeMs } from './token-endpoint.ts'

/** What a request needs in addition to what its author wrote. Sent to the request's own origin only, and never shown. */
export type Authentication = {
  readonly headers?: Readonly<Record<string, string>>
  readonly parameters?: Readonly<Record<string, string>>
}

/** A request for a token: a form, a JSON body, or no body. */
export type AuthRequest = {
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
  readonly json?: unknown
}

export type AuthTools = {
  /** Sends a request within the network policy, the time limits and the retries of the run. Its content is not sent to other origins. */
  readonly fetchJson: (request: AuthRequest) => Promise<unknown>
  /** Fetched once for all requests that wait for it, kept for its lifetime (by default an hour), never shown. */
  readonly token: (name: string, fetch: () => Promise<FetchedToken>) => Promise<string>
  /** Masks this text in everything that is shown, in any form. */
  readonly hide: (secret: string) => void
  /** The value of a template over the config, for fields of the manifest: `"{{ config['key'] }}"`. */
  readonly evaluate: (template: unknown) => unknown
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export type FetchedToken = { readonly value: string; readonly lifetimeMs?: number | undefined }

/**
 * Extend this in `source_<name>/<package>.ts` next to the manifest. All streams of a run share one object.
 *
 * ```ts
 * export class ShopAuthenticator extends Authenticator {
 *   override async authenticate(_: HttpRequest, tools: AuthTools) {
 *     const token = await tools.token('access', async () => {
 *       const form = { client: String(tools.evaluate(this.parameters['client_id'])) }
 *       const response = (await tools.fetchJson({ url: 'https://login.shop.example/token', form })) as { token: string }
 *       return { value: response.token, lifetimeMs: 600_000 }
 *     })
 *     return { headers: { 'X-Shop-Token': token } }
 *   }
 * }
 * ```
 */
export abstract class Authenticator extends CustomComponent {
  /** What this request needs. The request is complete except for that, so a signature can be made over it. */
  abstract authenticate(request: HttpRequest, tools: AuthTools): Authentication | Promise<Authentication>
}

/** One object for all equal plans, and the tokens it fetched. */
type Shared = {
  readonly authenticator: Promise<Authenticator>
  readonly keepers: Map<string, TokenKeeper>
  /** Parameters of the latest requests: a next link may repeat them. */
  readonly known: Set<string>
  renewedAt: number
  renewals: number
}

/** More than there are requests at a time. */
const mostKnown = 1000

/** Tokens that are refused this soon after a renewal would be refused again. */
const renewEveryMs = 60_000

export function openCustom(run: Run, plan: CustomPlan): Credentials {
  const shared = run.tokens.once(authIdentity(plan), (): Shared => {
    const authenticator = instantiate(plan, Authenticator, run)
    // Avoids an unhandled rejection: the error surfaces when the first request is signed.
    authenticator.catch(() => {})
    return { authenticator, keepers: new Map(), known: new Set(), renewedAt: Number.NEGATIVE_INFINITY, renewals: 0 }
  })
  const isKnown = (name: string, value: string) => shared.known.has(encodePairs([[name, value]]))
  return {
    kind: 'added',
    async sign(asked, signal) {
      // A redirect to `/items/` repeats the parameters of `/items`, what it was signed with among them.
      const request = { ...asked, url: withoutPairs(asked.url, isKnown) }
      const tools = toolsOf(run, plan, shared, signal)
      const work = awaitCustom(plan, async () => {
        const authenticator = await shared.authenticator
        return authenticationOf(await authenticator.authenticate(request, tools))
      })
      const own = await untilAborted(work, signal)
      for (const [name, value] of Object.entries(own.parameters)) remember(shared.known, encodePairs([[name, value]]))
      return added(run, request, own)
    },
    isKnown,
    async renew() {
      if (shared.keepers.size === 0 || run.now() - shared.renewedAt < renewEveryMs) return false
      shared.keepers.clear()
      shared.renewedAt = run.now()
      shared.renewals++
      return true
    },
    renewals: () => shared.renewals,
  }
}

function remember(known: Set<string>, pair: string): void {
  known.delete(pair)
  known.add(pair)
  const [oldest] = known
  if (known.size > mostKnown && oldest !== undefined) known.delete(oldest)
}

function authenticationOf(given: unknown): Required<Authentication> {
  const members = objectOf(given, 'an object with `headers` or `parameters`')
  const { headers = {}, parameters = {} } = members
  const names = Object.keys(members)
  // `{ Authorization: … }` would send nothing, and the API would refuse a request that looks complete.
  if (names.length > 0 && !('headers' in members) && !('parameters' in members)) {
    throw new TypeError(`it returns an object with \`${names.join('`, `')}\`, not with \`headers\` or \`parameters\``)
  }
  return { headers: textsOf(headers, 'headers'), parameters: textsOf(parameters, 'parameters') }
}

function textsOf(given: unknown, name: string): Record<string, string> {
  const members = Object.entries(objectOf(given, `an object as its \`${name}\``))
  return Object.fromEntries(
    members.map(([key, value]) => [key, givenText(value, `a string as its \`${name}.${key}\``)]),
  )
}

function added({ tokens }: Run, request: HttpRequest, { headers, parameters }: Required<Authentication>): HttpRequest {
  let signed = request
  for (const [name, value] of Object.entries(headers)) {
    hideCredential(tokens, value)
    signed = withHeader(signed, name, value)
  }
  for (const [name, value] of Object.entries(parameters)) {
    hideCredential(tokens, value)
    signed = authenticate({ into: 'query', name }, value, signed)
  }
  return signed
}

/** A signature is used for one request. Strings as short as a host or a date are no secrets. */
function hideCredential(tokens: Run['tokens'], value: string): void {
  const credential = value.replace(/^\w+ /, '')
  if (credential.length >= 16) tokens.hideShortly(credential)
}

function toolsOf(run: Run, plan: CustomPlan, { keepers }: Shared, signal: AbortSignal): AuthTools {
  const { tokens, now, config } = run
  const parameters = (plan.fields.$parameters as Parameters | undefined) ?? {}
  return {
    fetchJson: async (request) => decodeTokenResponse(await tokenSend(run)(requestOf(request, plan), tokens.closing)),
    hide: tokens.hide,
    now,
    evaluate: (template) =>
      typeof template === 'string'
        ? compileTemplate(template, plan.at).evaluate(authScope({ parameters }, config))
        : template,
    async token(name, fetch) {
      const keeper = keepers.get(name) ?? createKeeper(null, now)
      keepers.set(name, keeper)
      const fetchToken = async () => {
        const obtainedAt = now()
        const { value: given, lifetimeMs = usualLifeMs } = await fetch()
        const value = givenText(given, `a string as its token \`${name}\``)
        tokens.hide(value)
        return { value, obtainedAt, renewAt: renewalBefore(obtainedAt + lifetimeMs, obtainedAt) }
      }
      return keeper.value(() => tokens.underWay(untilAborted(fetchToken(), tokens.closing)), signal)
    },
  }
}

function requestOf({ url, method, headers = {}, form, json }: AuthRequest, { at }: CustomPlan): HttpRequest {
  const address = resolveUrl(url, undefined, at)
  const body = form !== undefined ? encodePairs(Object.entries(form)) : json !== undefined ? encodeJson(json, at) : null
  const contentType = form !== undefined ? 'application/x-www-form-urlencoded' : 'application/json'
  const request = { method: method ?? (body === null ? 'GET' : 'POST'), url: address, home: address, headers, body }
  const isNamed = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type')
  return body === null || isNamed ? request : withHeader(request, 'Content-Type', contentType)
}
