/** Everything that the spec says about one input. */
import { useState } from 'react'
import type { Path } from '../../../document/value-path.ts'
import { ChoiceField } from '../../fields/choice-field.tsx'
import { Field } from '../../fields/field.tsx'
import { InYaml } from '../../fields/in-yaml.tsx'
import { JsonField } from '../../fields/json-field.tsx'
import { LinesField } from '../../fields/lines-field.tsx'
import { NumberField } from '../../fields/number-field.tsx'
import { SwitchField } from '../../fields/switch-field.tsx'
import { TextField } from '../../fields/text-field.tsx'
import { Toggle } from '../../fields/toggle.tsx'
import { inputsOf, setInputs } from '../../session/inputs.ts'
import { useSession, useSessionStore } from '../../session/use-session.tsx'
import { type SpecInput, inputAt, nameFault, renameInput, requireInput } from './spec-inputs.ts'

const types = ['string', 'integer', 'number', 'boolean', 'array', 'object'].map((value) => ({ value, label: value }))

export function InputFields({ input: { name, schema, isRequired } }: { input: SpecInput }) {
  const store = useSessionStore()
  const at = inputAt(name)
  const isNested = schema.oneOf !== undefined || schema.properties !== undefined
  return (
    <div className="input-fields appears">
      <div className="side-by-side">
        <NameField name={name} />
        <TextField at={[...at, 'title']} label="Title" help="Its label in the form." />
      </div>
      <TextField at={[...at, 'description']} label="Description" help="Where to find it, in a sentence." />
      {isNested ? (
        <InYaml what="This input" why="has nested fields." />
      ) : (
        <>
          <div className="side-by-side">
            <ChoiceField at={[...at, 'type']} label="Type" isRequired choices={types} />
            {schema.airbyte_secret !== true && <DefaultField at={[...at, 'default']} type={schema.type} />}
            <NumberField at={[...at, 'order']} label="Order" help="Its place in the form." />
          </div>
          <LinesField at={[...at, 'enum']} label="Allowed values" help="One per line. Empty: anything is allowed." />
        </>
      )}
      <Toggle
        label="Required"
        help="A run does not start without it."
        isOn={isRequired}
        onSwitch={(isOn) => store.edit(requireInput(store.get().document.text, name, isOn))}
      />
      <SwitchField at={[...at, 'airbyte_secret']} label="Secret" help="Masked in forms, hidden in logs and requests." />
    </div>
  )
}

function DefaultField({ at, type }: { at: Path; type: unknown }) {
  const field = { at, label: 'Default', help: 'Used when nothing is given.' }
  if (type === 'integer' || type === 'number') return <NumberField {...field} />
  if (type === 'boolean') return <SwitchField {...field} />
  return type === 'array' || type === 'object' ? <JsonField {...field} /> : <TextField {...field} isCode />
}

/** Written when left, since every letter would rename it everywhere. */
function NameField({ name }: { name: string }) {
  const store = useSessionStore()
  const root = useSession(({ document }) => document.value)
  const [typed, setTyped] = useState(name)
  const fault = typed === name ? null : nameFault(root, typed)

  function rename(): void {
    if (fault !== null || typed === name) return
    const { name: connector, document } = store.get()
    const { [name]: value, ...others } = inputsOf(connector)
    store.edit(renameInput(document.text, name, typed))
    setInputs(connector, value === undefined ? others : { ...others, [typed]: value })
  }

  return (
    <Field
      at={inputAt(name)}
      label="Name"
      isRequired
      help={fault ?? `In templates: {{ config['${typed}'] }}. Templates that use it are changed, too.`}
    >
      {(control) => (
        <input
          {...control}
          aria-invalid={fault !== null || undefined}
          className="input mono"
          value={typed}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
          onBlur={rename}
          onKeyDown={(event) => event.key === 'Enter' && rename()}
        />
      )}
    </Field>
  )
}
