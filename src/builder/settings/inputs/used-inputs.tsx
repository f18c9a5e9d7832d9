/** The inputs that a part of the manifest uses, with their values for tests. */
import { useId } from 'react'
import { useSession } from '../../session/use-session.tsx'
import { InputValue } from './input-value.tsx'
import { type SpecInput, inputsIn } from './spec-inputs.ts'

export function UsedInputs({ names }: { names: readonly string[] }) {
  const root = useSession(({ document }) => document.value)
  const used = inputsIn(root).filter(({ name }) => names.includes(name))
  if (used.length === 0) return null
  return (
    <div className="used-inputs" role="group" aria-label="Test values">
      {used.map((input) => (
        <UsedInput key={input.name} input={input} />
      ))}
    </div>
  )
}

function UsedInput({ input: { name, schema } }: { input: SpecInput }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{typeof schema.title === 'string' ? schema.title : name}</label>
      <InputValue name={name} schema={schema} control={{ id, 'aria-describedby': `${id}-help` }} />
      <p className="help" id={`${id}-help`}>
        Test value of the input <code>{name}</code>. It is never in the manifest.
      </p>
    </div>
  )
}
