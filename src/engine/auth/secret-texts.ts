/** An authenticator's plan × config → every string that must never be shown. */
import { ConnectorError } from '../../std/errors.ts'
import type { AuthPlan } from './plan/authenticator.ts'
import { tokensOf } from './plan/rotating-tokens.ts'
import type { MappingPlan } from './plan/jwt.ts'
import type { Config } from '../plan/plan.ts'
import type { RequesterPlan } from '../plan/requester.ts'
import { compileTemplate, type Template } from '../template/template.ts'
import { isCredentialName } from '../secrets/credential-names.ts'
import { type Holder, staticSecret, evaluateText, evaluateTexts } from './credentials.ts'

/** The credential and what it is made of, as far as the config holds it; tokens that are fetched are learned later. */
export function secretTexts(auth: AuthPlan, config: Config): string[] {
  return secretParts(auth, config).filter((text) => text !== '')
}

function secretParts(auth: AuthPlan, config: Config): string[] {
  switch (auth.kind) {
    case 'none':
      return []
    case 'key':
    case 'bearer':
      return [evaluateText(auth.token, auth, config), withoutScheme(staticSecret(auth, config))]
    case 'basic': {
      // Without a password, the user name is an API key.
      const part = evaluateText(auth.password, auth, config) || evaluateText(auth.username, auth, config)
      return [part, withoutScheme(staticSecret(auth, config))]
    }
    case 'oauth':
      return [
        ...[auth.clientSecret, auth.refreshToken, auth.accessToken].flatMap((template) =>
          textIfAny(template, auth, config),
        ),
        ...credentialsIn([...auth.headers, ...auth.body], auth, config),
        ...(auth.assertion === null ? [] : secretParts(auth.assertion, config)),
      ]
    case 'session':
      return [...secretParts(auth.login.auth, config), ...credentialFields(auth.login, config)]
    case 'legacy-session':
      return [...textIfAny(auth.password, auth, config), ...textIfAny(auth.token, auth, config)]
    case 'jwt':
      return [...textIfAny(auth.key, auth, config), ...textIfAny(auth.passphrase, auth, config)]
    case 'rotating':
      return tokensOf(auth, (token) => ifAny(() => evaluateTexts(token, { parameters: {} }, config)) ?? '')
    case 'custom':
      return Object.entries(auth.fields).flatMap(([name, value]) =>
        typeof value === 'string' && isCredentialName(name)
          ? textIfAny(compileTemplate(value), { parameters: {} }, config).map(withoutScheme)
          : [],
      )
  }
}

/** Values with the name of a credential. */
function credentialsIn(mapping: MappingPlan, holder: Holder, config: Config): string[] {
  return mapping.flatMap(({ name, value }) => {
    if ('literal' in value || !textIfAny(name, holder, config).some(isCredentialName)) return []
    return textIfAny(value, holder, config).map(withoutScheme)
  })
}

/** The passwords and keys that a login request carries. */
function credentialFields({ body, headers, query, parameters }: RequesterPlan, config: Config): string[] {
  const members = body.kind === 'json' && body.value.kind === 'object' ? body.value.members : []
  const inJson = members.flatMap(({ key, value }) =>
    value.kind === 'template' ? [{ name: key, value: value.template }] : [],
  )
  const fields = [headers, query, body.kind === 'form' ? body.fields : null].flatMap((plan) =>
    plan === null || 'evaluate' in plan ? [] : plan,
  )
  return [...inJson, ...fields].flatMap(({ name, value }) =>
    isCredentialName(name.source) ? textIfAny(value, { parameters }, config).map(withoutScheme) : [],
  )
}

/**
 * A template that cannot be evaluated fails where it is used. Not all of them are: a client secret is not, as long
 * as the config has an access token.
 */
function textIfAny(template: Template | null, holder: Holder, config: Config): string[] {
  return ifAny(() => [evaluateText(template, holder, config)]) ?? []
}

function ifAny<T>(evaluate: () => T): T | null {
  try {
    return evaluate()
  } catch (error) {
    if (error instanceof ConnectorError) return null
    throw error
  }
}

function withoutScheme(credential: string): string {
  return credential.replace(/^(Bearer|Basic) /, '')
}
