/** Another way to authenticate, as one edit: the authenticator, and the inputs that it needs. */
import { isObject } from '../../../members.ts'
import { setIn } from '../../document/edit.ts'
import { follow } from '../../document/follow.ts'
import { openDocument } from '../../document/open-document.ts'
import type { Path } from '../../document/path.ts'
import { addInput, inputAt, titleFrom } from '../inputs/spec.ts'
import { type AuthMethodName, authMethods, type WishedInput } from './auth-methods.ts'

/** @param earlier the authenticator that stood here when this method was last chosen */
export function changeAuth(text: string, at: Path, method: AuthMethodName, earlier?: unknown): string {
  const { start, inputs } = authMethods[method]
  const { value: before, writtenAt } = follow(openDocument(text).value, at)
  const parameters = isObject(before) && before.$parameters !== undefined ? { $parameters: before.$parameters } : {}
  const changed = setIn(text, writtenAt, isObject(earlier) ? earlier : { type: method, ...start, ...parameters })
  return isObject(earlier) ? changed : inputs.reduce<string>(withInput, changed)
}

function withInput(text: string, { name, isSecret }: WishedInput): string {
  return addInput(text, name, { title: titleFrom(name), ...(isSecret && { airbyte_secret: true }) })
}

/**
 * Puts an input where a value stood: `{{ config['api_key'] }}`. The value itself comes back, for this tab's memory;
 * the text no longer has it.
 */
export function moveToInput(text: string, at: Path, wished: string, isSecret = true): { text: string; name: string } {
  const root = openDocument(text).value
  let name = wished
  for (let count = 2; follow(root, inputAt(name)).value !== undefined; count++) name = `${wished}_${count}`
  const { writtenAt } = follow(root, at)
  return { text: withInput(setIn(text, writtenAt, `{{ config['${name}'] }}`), { name, isSecret }), name }
}
