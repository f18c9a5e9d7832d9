/**
 * A credential. The manifest says which input it comes from, and never the value: what is typed here is the input's
 * value for tests, in this tab's memory.
 */
import { useState } from 'react'
import { stringifyJson } from '../../../std/json.ts'
import { follow } from '../../../document/follow.ts'
import { Field, type FieldProps } from '../../fields/field.tsx'
import { TemplateField } from '../../fields/template-field.tsx'
import { isObject } from '../../../std/values/objects.ts'
import { setInput } from '../../session/inputs.ts'
import { useField } from '../../session/use-field.ts'
import { useSession, useSessionStore } from '../../session/use-session.tsx'
import { soleInput } from '../inputs/config-references.ts'
import { InputValue } from '../inputs/input-value.tsx'
import { SecretInput } from '../inputs/secret-input.tsx'
import { inputAt } from '../inputs/spec-inputs.ts'
import { moveToInput } from '../inputs/wished-input.ts'
import './credential-field.css'

/** @param input what the input is called when there is none yet */
export function CredentialField({ input, isOpen = false, ...field }: FieldProps & { input: string; isOpen?: boolean }) {
  const { value } = useField(field.at)
  const root = useSession(({ document }) => document.value)
  const [isTemplate, setTemplate] = useState(false)
  const name = soleInput(value)
  const schema = name === null ? undefined : follow(root, inputAt(name)).value
  if (typeof value === 'string' && value.includes('{{') && (isTemplate || name === null || !isObject(schema))) {
    return <TemplateField {...field} />
  }
  if (name === null || !isObject(schema)) return <LooseCredential {...field} input={input} isOpen={isOpen} />
  const described = (
    <>
      Test value of the input <code>{name}</code>. The manifest only says <code>{shownTemplate(value)}</code>.{' '}
      <button type="button" className="link" onClick={() => setTemplate(true)}>
        Change<span className="hidden"> the template of {field.label}</span>
      </button>
    </>
  )
  return (
    <Field {...field} help={described}>
      {(control) => <InputValue name={name} schema={schema} control={control} />}
    </Field>
  )
}

/** Nothing is written yet, or the secret itself. */
function LooseCredential({ input, isOpen, ...field }: FieldProps & { input: string; isOpen: boolean }) {
  const store = useSessionStore()
  const { value } = useField(field.at)
  const isWritten = value !== undefined && value !== null && value !== ''

  function move(secret: string): void {
    const { name: connector, document } = store.get()
    const { text, name } = moveToInput(document.text, field.at, input, !isOpen)
    store.edit(text, field.at.join('/'))
    setInput(connector, name, secret)
  }

  if (!isWritten) {
    return (
      <Field {...field} help={field.help ?? 'What you type becomes the test value of a new input.'}>
        {(control) => <SecretInput {...control} what={field.label} value="" onValue={move} />}
      </Field>
    )
  }
  const text = typeof value === 'string' ? value : stringifyJson(value)
  return (
    <Field {...field}>
      {(control) => (
        <div className="written-secret">
          <input {...control} className="input mono" type="password" readOnly placeholder="written in the manifest" />
          <p role="alert">
            <b>Warning</b> The value itself is written in the manifest, where everyone who has the file can read it.
          </p>
          <button type="button" className="button small" onClick={() => move(text)}>
            Move to inputs
          </button>
        </div>
      )}
    </Field>
  )
}

function shownTemplate(value: unknown): string {
  return String(value).trim()
}
