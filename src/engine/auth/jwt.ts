/** A JWT plan → the token that the connector signs itself. */
import { parseJson, stringifyJson } from '../../std/json.ts'
import { sortedMembers } from '../../std/values/sorted-members.ts'
import type { JwtPlan, MappingPlan } from './plan/jwt.ts'
import type { Config } from '../plan/plan.ts'
import { type Secret, evaluateText, evaluateMapping } from './credentials.ts'
import { encodeJson } from '../request/encode-json.ts'
import { signJwt } from './sign-jwt.ts'
import type { Run } from '../run/run.ts'
import { pythonText } from '../template/text.ts'
import { authIdentity } from './keep-token.ts'

/** The last token and its claims: with the same claims it is used until half of its lifetime is over. */
type Signed = { readonly claims: string; readonly token: string; readonly until: number }

/** A next link repeats the token of its own page, seldom an older one. */
const remembered = 8

export function openJwt(run: Run, plan: JwtPlan): Secret {
  const kept = run.tokens.once(authIdentity(plan), (): { last: Signed | null; known: string[] } => {
    return { last: null, known: [] }
  })
  return {
    value() {
      const claims = claimsOf(run, plan)
      const now = run.now()
      if (kept.last?.claims === claims && now < kept.last.until) return kept.last.token
      const token = signToken(run, plan)
      kept.last = { claims, token, until: now + plan.durationSeconds * 500 }
      kept.known = [token, ...kept.known.slice(0, remembered - 1)]
      return token
    },
    isKnown: (text) => kept.known.includes(text),
  }
}

/** A new token, with the prefix that the manifest puts in front of it. */
export function signToken(run: Run, plan: JwtPlan): string {
  const { config, tokens } = run
  const text = (template: JwtPlan['prefix']) => evaluateText(template, plan, config)
  const passphrase = text(plan.passphrase)
  const secret = text(plan.key)
  // Airbyte: a key with a passphrase is used as it is.
  const key = plan.encodesKey && passphrase === '' ? base64(secret) : secret
  tokens.hide(key)
  const now = Math.trunc(run.now() / 1000)
  const times = { iat: now, exp: now + plan.durationSeconds, nbf: now }
  const [header = '', payload = ''] = [headerOf(run, plan), { ...payloadOf(run, plan), ...times }].map((part) =>
    stringifyJson(parseJson(encodeJson(part, plan.at)).value),
  )
  const token = signJwt({ algorithm: plan.algorithm, header, payload, key, passphrase, at: plan.at })
  tokens.hideShortly(token)
  const prefix = text(plan.prefix)
  return prefix === '' ? token : `${prefix} ${token}`
}

function headerOf({ config }: Run, plan: JwtPlan): Record<string, unknown> {
  // Airbyte: sorted by name, so that both engines sign the same text.
  return sortedMembers({ ...claimsIn(plan.headers, plan, config), alg: plan.algorithm }) as Record<string, unknown>
}

function payloadOf({ config }: Run, plan: JwtPlan): Record<string, unknown> {
  return claimsIn(plan.payload, plan, config)
}

/** An empty claim is left out. */
function claimsIn(mapping: MappingPlan, plan: JwtPlan, config: Config): Record<string, unknown> {
  const claims = evaluateMapping(mapping, plan, config).filter(([, value]) => value !== null)
  return Object.fromEntries(claims.map(([name, value]) => [name, texts.has(name) ? pythonText(value) : value]))
}

/** RFC 7519 and 7515 require strings here, and ids often look like numbers. */
const texts = new Set(['iss', 'sub', 'kid', 'typ', 'cty'])

/** All claims of the token except its times. */
function claimsOf(run: Run, plan: JwtPlan): string {
  return encodeJson([headerOf(run, plan), payloadOf(run, plan)], plan.at)
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
