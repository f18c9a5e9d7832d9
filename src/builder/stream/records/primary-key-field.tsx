/** What tells records apart: one field or several, each maybe deep in the record. */
import type { Path } from '../../../document/value-path.ts'
import { Field } from '../../fields/field.tsx'
import { InYaml } from '../../fields/in-yaml.tsx'
import { textOfNames } from '../../fields/names.ts'
import { Worded } from '../../fields/worded.tsx'
import { useField } from '../../session/use-field.ts'
import { KeysInput } from './keys-input.tsx'
import { keysIn, likelyKeys, writtenKeys } from './primary-key.ts'

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
        help={<Worded text="What no two records have in common. Several fields with commas between: `region, id`." />}
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
