/** Another way to authenticate, as one edit: the authenticator, and the inputs that it needs. */
import { isObject } from '../../../std/values/objects.ts'
import { removeIn, setIn } from '../../../document/edit.ts'
import { follow } from '../../../document/follow.ts'
import { openDocument } from '../../../document/open-document.ts'
import type { Path } from '../../../document/value-path.ts'
import { inputNamesIn } from '../inputs/config-references.ts'
import { addWished, dropIfIdle } from '../inputs/wished-input.ts'
import { type AuthMethodName, authMethods } from './auth-methods.ts'

/** @param earlier the authenticator that was here when this method was last chosen */
export function changeAuth(text: string, at: Path, method: AuthMethodName, earlier?: unknown): string {
  const { start, inputs } = authMethods[method]
  const { value: before, writtenAt } = follow(openDocument(text).value, at)
  const parameters = isObject(before) && before.$parameters !== undefined ? { $parameters: before.$parameters } : {}
  const changed = setIn(text, writtenAt, isObject(earlier) ? earlier : { type: method, ...start, ...parameters })
  const wished = isObject(earlier) ? inputs.filter(({ name }) => inputNamesIn(earlier).includes(name)) : inputs
  const asking = wished.reduce<string>(addWished, changed)
  // Inputs that only the previous method used are removed.
  return inputNamesIn(before).reduce<string>(dropIfIdle, asking)
}

/**
 * Another grant, with what it exchanges: the credentials of a client need no refresh token, nor an input for one.
 *
 * @param earlier the refresh token that was here before
 */
export function changeGrant(text: string, at: Path, grant: string, earlier?: unknown): string {
  const { value: before, writtenAt } = follow(openDocument(text).value, at)
  const token = isObject(before) ? before.refresh_token : undefined
  const tokenAt = [...writtenAt, 'refresh_token']
  const changed = setIn(text, [...writtenAt, 'grant_type'], grant)
  if (grant !== 'refresh_token') return inputNamesIn(token).reduce<string>(dropIfIdle, removeIn(changed, tokenAt))
  if (token !== undefined) return changed
  const { start, inputs } = authMethods.OAuthAuthenticator
  const wished = earlier ?? start.refresh_token
  return inputs
    .filter(({ name }) => inputNamesIn(wished).includes(name))
    .reduce<string>(addWished, setIn(changed, tokenAt, wished))
}
