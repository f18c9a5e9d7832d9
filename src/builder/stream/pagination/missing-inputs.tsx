/** The inputs that the paginator uses: those the connector does not have are offered, the others get a test value here. */
import type { Path } from '../../../document/value-path.ts'
import { useField } from '../../session/use-field.ts'
import { useSession, useSessionStore } from '../../session/use-session.tsx'
import { inputNamesIn } from '../../settings/inputs/config-references.ts'
import { addInput, inputsIn, titleFrom } from '../../settings/inputs/spec-inputs.ts'
import { UsedInputs } from '../../settings/inputs/used-inputs.tsx'

/** @param at the paginator */
export function MissingInputs({ at }: { at: Path }) {
  const store = useSessionStore()
  const { value: paginator } = useField(at)
  const root = useSession(({ document }) => document.value)
  const names = inputNamesIn(paginator)
  const known = inputsIn(root).map(({ name }) => name)
  return (
    <>
      {names
        .filter((name) => !known.includes(name))
        .map((name) => (
          <button
            key={name}
            type="button"
            className="button small"
            onClick={() =>
              store.edit(addInput(store.get().document.text, name, { title: titleFrom(name), type: typeOf(name) }))
            }
          >
            Create input {name}
          </button>
        ))}
      <UsedInputs names={names} />
    </>
  )
}

function typeOf(name: string): string {
  return /size|limit|count|page|max/i.test(name) ? 'integer' : 'string'
}
