/** How requests prove who asks: one of the methods, and its fields. */
import { isObject } from '../../../std/values/objects.ts'
import type { Path } from '../../../document/value-path.ts'
import { ChoiceField } from '../../fields/choice-field.tsx'
import { InYaml } from '../../fields/in-yaml.tsx'
import { useRemembered } from '../../session/remembered.ts'
import { useField } from '../../session/use-field.ts'
import { useSessionStore } from '../../session/use-session.tsx'
import { AuthFields } from './auth-fields.tsx'
import { type AuthMethodName, authMethodOf, authMethods, whyNoForm } from './auth-methods.ts'
import { changeAuth } from './change-auth.ts'

export function AuthForm({ at, methods = everyMethod }: { at: Path; methods?: readonly AuthMethodName[] }) {
  const { value } = useField(at)
  const store = useSessionStore()
  const { recall, remember } = useRemembered()
  const method = authMethodOf(value)
  const type = isObject(value) && typeof value.type === 'string' ? value.type : ''

  function choose(next: AuthMethodName): void {
    if (method !== null) remember(value, at, method)
    store.edit(changeAuth(store.get().document.text, at, next, recall(at, next)))
  }

  return (
    <>
      <ChoiceField
        at={[...at, 'type']}
        label="Authentication method"
        isRequired
        fallback={method ?? type}
        choices={methods.map((name) => ({ value: name, label: authMethods[name].label }))}
        help={method === null ? undefined : authMethods[method].help}
        onChoose={(next) => choose(next as AuthMethodName)}
      />
      {method === null ? (
        <InYaml what={type === '' ? 'The authenticator' : type} why={whyNoForm(type)} />
      ) : (
        <AuthFields key={method} at={at} method={method} />
      )}
    </>
  )
}

const everyMethod = Object.keys(authMethods) as AuthMethodName[]
