/** The primary key: one field or several, each possibly nested. */
import type { Path } from '../../../document/value-path.ts'
import { type ControlProps, Field } from '../../fields/field.tsx'
import { InYaml } from '../../fields/in-yaml.tsx'
import { namesFrom, textOfNames } from '../../fields/name-path.ts'
import { Worded } from '../../fields/inline-code.tsx'
import { useField } from '../../session/use-field.ts'
import { type KeyPath, keysIn, likelyKeys, writtenKeys } from './primary-key.ts'
import { useState } from 'react'

export function PrimaryKeyField({ at, records }: { at: Path; records: readonly unknown[] }) {
  const { value, set, remove } = useField(at)
  const keys = keysIn(value)
  if (keys === null) return <InYaml what="Primary key" />
  const write = (changed: readonly (readonly string[])[]) => {
    const written = writtenKeys(changed, value)
    return written === undefined ? remove() : set(written)
  }
  const taken = new Set(keys.map(textOfNames))
  const offered = likelyKeys(records).filter((name) => !taken.has(textOfNames([name])))
  return (
    <div className="primary-key">
      <Field
        at={at}
        label="Primary key"
        help={<Worded text="The field that identifies a record. Separate several fields with commas: `region, id`." />}
      >
        {(control) => <KeysInput {...control} keys={keys} onKeys={write} />}
      </Field>
      {offered.length > 0 && (
        <p className="offers">
          Different in every record read:{' '}
          {offered.map((name) => (
            <button key={name} type="button" className="button small mono" onClick={() => write([...keys, [name]])}>
              {name}
            </button>
          ))}
        </p>
      )}
    </div>
  )
}

function KeysInput({
  keys,
  onKeys,
  ...control
}: ControlProps & { keys: readonly KeyPath[]; onKeys: (keys: KeyPath[]) => void }) {
  const [typed, setTyped] = useState('')
  const text = textOfKeys(keys)
  return (
    <input
      {...control}
      className="input mono"
      value={textOfKeys(keysFrom(typed)) === text ? typed : text}
      placeholder="id"
      spellCheck={false}
      autoComplete="off"
      onChange={({ target }) => {
        setTyped(target.value)
        onKeys(keysFrom(target.value))
      }}
      onBlur={() => setTyped(text)}
    />
  )
}

function keysFrom(text: string): KeyPath[] {
  const parts = text.match(/(?:"(?:[^"\\]|\\.)*"|[^,])+/gsu) ?? []
  return parts.map(namesFrom).filter(({ length }) => length > 0)
}

function textOfKeys(keys: readonly KeyPath[]): string {
  return keys.map(textOfNames).join(', ')
}
