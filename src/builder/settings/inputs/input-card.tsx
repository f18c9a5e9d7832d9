/** One input: a value to test with, and, when opened, everything that the spec says about it. */
import { useId, useState } from 'react'
import { ToYaml } from '../../fields/to-yaml.tsx'
import { InputFields } from './input-fields.tsx'
import { InputValue } from './input-value.tsx'
import './inputs.css'
import { type SpecInput, inputAt, removeInput } from './spec-inputs.ts'
import type { Path } from '../../../document/value-path.ts'
import { showUndoNotice } from '../../session/undo-notice.ts'
import { useSession, useSessionStore } from '../../session/use-session.tsx'
import { inputUses } from './config-references.ts'

export function InputCard({ input }: { input: SpecInput }) {
  const { name, schema, isRequired } = input
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const title = typeof schema.title === 'string' ? schema.title : name
  const help = typeof schema.description === 'string' ? plain(schema.description) : null
  return (
    <li className="input-card">
      <div className="field">
        <header>
          <label htmlFor={id}>{title}</label>
          {title !== name && <code>{name}</code>}
          {schema.airbyte_secret === true && <span className="fact">secret</span>}
          {!isRequired && <span className="fact">optional</span>}
        </header>
        <ToYaml at={inputAt(name)} label={title} />
        <div className="value">
          <InputValue
            name={name}
            schema={schema}
            control={{ id, 'aria-describedby': help === null ? undefined : `${id}-help` }}
          />
          <button
            type="button"
            className="button small"
            aria-expanded={isOpen}
            aria-label={`Edit ${title}`}
            onClick={() => setOpen(!isOpen)}
          >
            Edit
          </button>
          <DeleteInput name={name} title={title} />
        </div>
        {help !== null && !isOpen && (
          <p className="help" id={`${id}-help`}>
            {help}
          </p>
        )}
      </div>
      {isOpen && <InputFields input={input} />}
    </li>
  )
}

/** Takes an input out of the spec; where the manifest uses it, only after saying so. */
function DeleteInput({ name, title }: { name: string; title: string }) {
  const store = useSessionStore()
  const root = useSession(({ document }) => document.value)
  const [isAsking, setAsking] = useState(false)
  const uses = isAsking ? inputUses(root, name) : []

  function remove(): void {
    store.edit(removeInput(store.get().document.text, name))
    showUndoNotice(store, `Deleted the input ${name}.`)
  }

  return (
    <>
      <button
        type="button"
        className="button quiet small"
        aria-label={`Delete ${title}`}
        aria-expanded={isAsking}
        onClick={() => (inputUses(root, name).length === 0 ? remove() : setAsking(!isAsking))}
      >
        Delete
      </button>
      {isAsking && uses.length > 0 && (
        <div className="delete-asking appears" role="alert">
          <p>
            Used in {uses.length === 1 ? 'one place' : `${uses.length} places`}, which would have no value:{' '}
            {uses.slice(0, 3).map((at, index) => (
              <span key={at.join('/')}>
                {index > 0 && ', '}
                <code>{shortPath(at)}</code>
              </span>
            ))}
            {uses.length > 3 && ` and ${uses.length - 3} more`}.
          </p>
          <button type="button" className="button small" onClick={remove}>
            Delete anyway
          </button>
          <button type="button" className="button quiet small" onClick={() => setAsking(false)}>
            Keep
          </button>
        </div>
      )}
    </>
  )
}

/** The end of a path says most about it. */
function shortPath(at: Path): string {
  return at.length > 3 ? `… ${at.slice(-3).join(' › ')}` : at.join(' › ')
}

/** Specs of public connectors have links in their descriptions, written as HTML. */
function plain(description: string): string {
  return description.replaceAll(/<[^>]*>/g, '')
}
