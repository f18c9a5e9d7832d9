/** Several paths in one line: `region, data.id`. What is typed stays as typed while it says the same. */
import { useState } from 'react'
import type { ControlProps } from '../../fields/field.tsx'
import { namesFrom, textOfNames } from '../../fields/names.ts'
import type { KeyPath } from './primary-key.ts'

export function KeysInput({
  keys,
  onKeys,
  ...control
}: ControlProps & { keys: readonly KeyPath[]; onKeys: (keys: KeyPath[]) => void }) {
  const [typed, setTyped] = useState('')
  const text = textOfKeys(keys)
  return (
    <input
      {...control}
      className="input mono"
      value={textOfKeys(keysFrom(typed)) === text ? typed : text}
      placeholder="id"
      spellCheck={false}
      autoComplete="off"
      onChange={({ target }) => {
        setTyped(target.value)
        onKeys(keysFrom(target.value))
      }}
      onBlur={() => setTyped(text)}
    />
  )
}

function keysFrom(text: string): KeyPath[] {
  const parts = text.match(/(?:"(?:[^"\\]|\\.)*"|[^,])+/gsu) ?? []
  return parts.map(namesFrom).filter(({ length }) => length > 0)
}

function textOfKeys(keys: readonly KeyPath[]): string {
  return keys.map(textOfNames).join(', ')
}
