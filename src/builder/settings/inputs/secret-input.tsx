/** A masked line of text that can be looked at. What is typed is in no attribute, so it is in no copy of the page. */
import { useLayoutEffect, useRef, useState } from 'react'
import type { ControlProps } from '../../fields/field.tsx'
import './secret-input.css'

/** @param what whom the button shows: `Show API key` */
export function SecretInput({
  value,
  what,
  onValue,
  onEnter,
  placeholder,
  ...control
}: Partial<ControlProps> & {
  value: string
  what: string
  onValue: (value: string) => void
  onEnter?: () => void
  placeholder?: string
}) {
  const input = useRef<HTMLInputElement>(null)
  const [isShown, setShown] = useState(false)
  // React would write a value that it controls into the attribute as well.
  useLayoutEffect(() => {
    if (input.current !== null && input.current.value !== value) input.current.value = value
  })
  return (
    <div className="secret-input">
      <input
        {...control}
        ref={input}
        type={isShown ? 'text' : 'password'}
        className="input mono"
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => onValue(target.value)}
        onKeyDown={({ key }) => key === 'Enter' && onEnter?.()}
      />
      <button type="button" className="button quiet small" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? 'Hide' : 'Show'}
        <span className="hidden"> {what}</span>
      </button>
    </div>
  )
}
