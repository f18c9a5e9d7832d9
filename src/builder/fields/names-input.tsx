/** An input for a path of names, shown as `data.items`. What is typed stays as typed while it says the same. */
import { useState } from 'react'
import type { ControlProps } from './field.tsx'
import { namesFrom, textOfNames } from './name-path.ts'

export function NamesInput({
  names,
  onNames,
  placeholder,
  ...control
}: Partial<ControlProps> & {
  names: readonly string[]
  onNames: (names: string[]) => void
  placeholder?: string | undefined
}) {
  const [typed, setTyped] = useState('')
  const text = textOfNames(names)
  return (
    <input
      {...control}
      className="input mono"
      value={textOfNames(namesFrom(typed)) === text ? typed : text}
      placeholder={placeholder}
      spellCheck={false}
      autoComplete="off"
      onChange={({ target }) => {
        setTyped(target.value)
        onNames(namesFrom(target.value))
      }}
      onBlur={() => setTyped(text)}
    />
  )
}
