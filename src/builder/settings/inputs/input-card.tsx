/** One input: a value to test with, and, when opened, everything that the spec says about it. */
import { useId, useState } from 'react'
import { ToYaml } from '../../fields/to-yaml.tsx'
import { DeleteInput } from './delete-input.tsx'
import { InputFields } from './input-fields.tsx'
import { InputValue } from './input-value.tsx'
import './inputs.css'
import { type SpecInput, inputAt } from './spec-inputs.ts'

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

/** Specs of public connectors have links in their descriptions, written as HTML. */
function plain(description: string): string {
  return description.replaceAll(/<[^>]*>/g, '')
}
