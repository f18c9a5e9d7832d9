/** The value of one input, to test with. Never in the manifest. */
import { useState } from 'react'
import { parseJson, stringifyJson } from '../../../std/json.ts'
import { parseStoredReference } from '../../../server/wire/stored-reference.ts'
import type { Members } from '../../../std/values/objects.ts'
import type { ControlProps } from '../../fields/field.tsx'
import { shownText } from '../../fields/text-field.tsx'
import { setInput, useInputs } from '../../session/inputs.ts'
import { useSession } from '../../session/use-session.tsx'
import { describeInput, type NeededInput, typedValue } from '../../test-reads/inputs/needed-inputs.ts'
import { VariableNote } from '../../test-configs/variable-note.tsx'
import { SecretInput } from './secret-input.tsx'

type InputValueProps = {
  readonly name: string
  readonly schema: Members
  readonly control: Partial<ControlProps>
}

export function InputValue(props: InputValueProps) {
  const inputs = useInputs(useSession((session) => session.name))
  return (
    <>
      <ValueControl {...props} />
      <VariableNote value={Object.hasOwn(inputs, props.name) ? inputs[props.name] : undefined} />
    </>
  )
}

function ValueControl({ name, schema, control }: InputValueProps) {
  const connector = useSession((session) => session.name)
  const inputs = useInputs(connector)
  const input = describeInput(name, schema)
  const value = Object.hasOwn(inputs, name) ? inputs[name] : undefined
  const set = (changed: unknown) => setInput(connector, name, changed)
  const fallback = schema.default === undefined ? undefined : `${shownText(schema.default)} (default)`
  if (parseStoredReference(value) !== null) {
    return <StoredSecret control={control} what={input.title} onReplace={() => set(undefined)} />
  }
  if (input.isSecret && input.kind !== 'nested') {
    return (
      <SecretInput
        {...control}
        what={input.title}
        value={shownText(value)}
        onValue={(typed) => set(typedValue(input.kind, typed)?.value)}
      />
    )
  }
  if (input.kind === 'nested') return <NestedValue control={control} value={value} onValue={set} />
  if (input.kind === 'boolean' || input.kind === 'choice') {
    const choices = input.kind === 'boolean' ? ['true', 'false'] : input.choices
    return (
      <select
        {...control}
        className="input"
        value={shownText(value)}
        onChange={({ target }) => set(typedValue(input.kind, target.value)?.value)}
      >
        <option value="">{fallback ?? 'Choose'}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    )
  }
  return <TypedValue control={control} kind={input.kind} value={value} placeholder={fallback} onValue={set} />
}

/** What is not a value yet, such as a lone minus, stays as typed. */
function TypedValue({
  control,
  kind,
  value,
  placeholder,
  onValue,
}: {
  control: Partial<ControlProps>
  kind: NeededInput['kind']
  value: unknown
  placeholder: string | undefined
  onValue: (value: unknown) => void
}) {
  const [typed, setTyped] = useState<string | null>(null)
  const read = typed === null ? null : typedValue(kind, typed)
  const isUnread = typed !== null && typed !== '' && read === null
  return (
    <>
      <input
        {...control}
        aria-invalid={isUnread || control['aria-invalid']}
        className="input mono"
        value={isUnread ? typed : shownText(value)}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => {
          setTyped(target.value)
          onValue(typedValue(kind, target.value)?.value)
        }}
      />
      {isUnread && <p className="value-fault">This is not {kind === 'integer' ? 'a whole number' : 'a number'}.</p>}
    </>
  )
}

/** An input with parts of its own: as JSON, since its parts may be anything. They may be secrets, so no attribute has them. */
function NestedValue({
  control,
  value,
  onValue,
}: {
  control: Partial<ControlProps>
  value: unknown
  onValue: (value: unknown) => void
}) {
  const [isRead, setRead] = useState(true)
  return (
    <>
      <textarea
        {...control}
        aria-invalid={!isRead || control['aria-invalid']}
        className="input mono json-field"
        rows={3}
        spellCheck={false}
        placeholder={'{ "auth_type": "token" }'}
        ref={(area) => {
          if (area !== null && isRead && area !== document.activeElement) {
            area.value = value === undefined ? '' : stringifyJson(value)
          }
        }}
        onChange={({ target }) => {
          const read = readJson(target.value)
          setRead(read !== null)
          if (read !== null) onValue(read.value)
        }}
      />
      {!isRead && <p className="value-fault">This is not JSON yet.</p>}
    </>
  )
}

function readJson(text: string): { readonly value: unknown } | null {
  if (text.trim() === '') return { value: undefined }
  try {
    return { value: parseJson(text).value }
  } catch {
    return null
  }
}

/** In place of a stored secret: that there is one, and how to enter another. */
function StoredSecret({
  control,
  what,
  onReplace,
}: {
  readonly control: Partial<ControlProps>
  readonly what: string
  readonly onReplace: () => void
}) {
  return (
    <div className="stored-secret">
      <input {...control} className="input" value="Stored on this machine" readOnly />
      <button type="button" className="button quiet small" onClick={onReplace}>
        Replace<span className="hidden"> {what}</span>
      </button>
    </div>
  )
}
