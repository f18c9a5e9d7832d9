/** Inputs that a part of the form makes by itself: the manifest says where a value comes from, and never the value. */
import { isObject } from '../../../std/values/objects.ts'
import { setIn } from '../../../document/edit.ts'
import { follow } from '../../../document/follow.ts'
import { openDocument } from '../../../document/open-document.ts'
import type { Path } from '../../../document/value-path.ts'
import { inputUses } from './config-references.ts'
import { addInput, inputAt, removeInput, titleFrom } from './spec-inputs.ts'

export type WishedInput = { readonly name: string; readonly isSecret: boolean }

export function addWished(text: string, { name, isSecret }: WishedInput): string {
  return addInput(text, name, { title: titleFrom(name), ...(isSecret && { airbyte_secret: true }) })
}

/** Removes an input that nothing uses, if it was not edited since it was created here. */
export function dropIfIdle(text: string, name: string): string {
  const root = openDocument(text).value
  const { value: schema } = follow(root, inputAt(name))
  if (!isObject(schema) || inputUses(root, name).length > 0) return text
  const isOurs =
    schema.title === titleFrom(name) && schema.type === 'string' && Object.keys(schema).every((key) => ours.has(key))
  return isOurs ? removeInput(text, name) : text
}

const ours = new Set(['type', 'title', 'airbyte_secret', 'order'])

/**
 * Puts an input in place of a value: `{{ config['api_key'] }}`. The value itself comes back, for this tab's memory;
 * the text no longer has it.
 */
export function moveToInput(text: string, at: Path, wished: string, isSecret = true): { text: string; name: string } {
  const root = openDocument(text).value
  let name = wished
  for (let count = 2; follow(root, inputAt(name)).value !== undefined; count++) name = `${wished}_${count}`
  const { writtenAt } = follow(root, at)
  return { text: addWished(setIn(text, writtenAt, `{{ config['${name}'] }}`), { name, isSecret }), name }
}
