/** A new input: a name is enough, the rest can be said later. */
import { useId, useRef, useState } from 'react'
import { useSession, useSessionStore } from '../../session/use-session.tsx'
import { isInputName } from '../../../engine/secrets/credential-names.ts'
import { addInput, nameFault, titleFrom } from './spec-inputs.ts'

export function NewInput() {
  const store = useSessionStore()
  const root = useSession(({ document }) => document.value)
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [name, setName] = useState('')
  const [isSecret, setSecret] = useState<boolean | null>(null)
  const fault = name === '' ? null : nameFault(root, name)
  const isHidden = isSecret ?? isInputName(name)

  function add(): void {
    if (nameFault(root, name) !== null) return field.current?.focus()
    const schema = { title: titleFrom(name), ...(isHidden && { airbyte_secret: true }) }
    store.edit(addInput(store.get().document.text, name, schema))
    setName('')
    setSecret(null)
    field.current?.focus()
  }

  return (
    <fieldset className="new-input">
      <legend>New input</legend>
      <label htmlFor={id}>Name</label>
      <div className="row">
        <input
          id={id}
          ref={field}
          className="input mono"
          value={name}
          placeholder="api_key"
          spellCheck={false}
          autoComplete="off"
          aria-describedby={`${id}-fault`}
          aria-invalid={fault !== null || undefined}
          onChange={({ target }) => setName(target.value)}
          onKeyDown={(event) => event.key === 'Enter' && add()}
        />
        <label className="secret">
          <input type="checkbox" checked={isHidden} onChange={({ target }) => setSecret(target.checked)} /> Secret
        </label>
        <button type="button" className="button" onClick={add}>
          Add input
        </button>
      </div>
      <p className="value-fault" id={`${id}-fault`} role="status">
        {fault}
      </p>
    </fieldset>
  )
}
