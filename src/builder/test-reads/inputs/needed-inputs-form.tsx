/** Required inputs, entered in place before the test continues. Values stay in this tab. */
import { type FormEvent, useId, useRef, useState } from 'react'
import { partOf } from '../../editor/outline-parts.ts'
import { goToEdit } from '../../editor/edit-or-test.ts'
import { useKeptFocus } from '../../keys/use-kept-focus.ts'
import { inputsOf, setInputs } from '../../session/inputs.ts'
import { useSessionStore } from '../../session/use-session.tsx'
import { SecretInput } from '../../settings/inputs/secret-input.tsx'
import './needed-inputs.css'
import { EmptiedNote } from './emptied-note.tsx'
import { type NeededInput, typedValue } from './needed-inputs.ts'

export function NeededInputsForm({
  needed,
  onReady,
  action = 'test',
}: {
  readonly needed: readonly NeededInput[]
  readonly onReady: () => void
  /** What continues once they are given. */
  readonly action?: string
}) {
  const store = useSessionStore()
  const form = useRef<HTMLFormElement>(null)
  useKeptFocus(form)
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  const askable = needed.filter(({ kind }) => kind !== 'nested')
  const given = askable.flatMap(({ name, kind }) => {
    const value = typedValue(kind, typed[name] ?? '')
    return value === null ? [] : [[name, value.value] as const]
  })
  function submit(event: FormEvent): void {
    event.preventDefault()
    const { name } = store.get()
    setInputs(name, { ...inputsOf(name), ...Object.fromEntries(given) })
    if (given.length === needed.length) onReady()
  }
  return (
    <form ref={form} className="needed-inputs appears" aria-label="Needed inputs" onSubmit={submit}>
      <EmptiedNote />
      {needed.map((input) => (
        <NeededField
          key={input.name}
          input={input}
          typed={typed[input.name] ?? ''}
          onType={(text) => setTyped({ ...typed, [input.name]: text })}
        />
      ))}
      <div className="foot">
        {askable.length > 0 && (
          <button type="submit" className="button small" disabled={given.length < askable.length}>
            {askable.length === needed.length ? `Use and ${action}` : 'Use'}
          </button>
        )}
        <button
          type="button"
          className="button small quiet"
          onClick={() => goToEdit({ part: partOf('inputs'), view: 'form' })}
        >
          All inputs
        </button>
        <span className="note">Stays in this tab, never in the manifest.</span>
      </div>
    </form>
  )
}

function NeededField({ input, typed, onType }: { input: NeededInput; typed: string; onType: (text: string) => void }) {
  const { name, title, kind, choices, isSecret, help } = input
  const id = useId()
  const described = { id, 'aria-describedby': help === null ? undefined : `${id}-help` }
  const control = { ...described, className: 'input', value: typed }
  const options = kind === 'boolean' ? ['true', 'false'] : choices
  return (
    <div className="field">
      <label htmlFor={id}>
        <code>{name}</code> is needed{title === name ? '' : `: ${title}`}
      </label>
      {kind === 'nested' && <p className="help">It has several parts: set them under inputs.</p>}
      {kind === 'boolean' || kind === 'choice' ? (
        <select {...control} onChange={({ target }) => onType(target.value)}>
          <option value="">Choose</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      ) : (
        kind !== 'nested' &&
        (isSecret ? (
          <SecretInput {...described} what={title} value={typed} onValue={onType} />
        ) : (
          <input
            {...control}
            type="text"
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onType(target.value)}
          />
        ))
      )}
      {help !== null && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  )
}
