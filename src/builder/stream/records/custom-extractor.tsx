/** Records that no path leads to: a class of the connector finds them. */
import type { Path } from '../../../document/value-path.ts'
import { ClassField, useCreatingClass } from '../../fields/class-field.tsx'
import { useChanges } from '../../session/use-changes.ts'

const type = 'CustomRecordExtractor'

export function CustomExtractor({ at }: { at: Path }) {
  const change = useChanges()
  return (
    <>
      <ClassField at={at} type={type} help="A class of this connector: a response in, its records out." />
      <p>
        <button
          type="button"
          className="button small quiet"
          onClick={() => change([{ at, value: { type: 'DpathExtractor', field_path: [] } }])}
        >
          Use a path instead
        </button>
      </p>
    </>
  )
}

/** Creates the class, and then names it: a manifest never names one that could not be created. */
export function UseCustomExtractor({ at }: { at: Path }) {
  const change = useChanges()
  const { create, state } = useCreatingClass(type)
  async function start(): Promise<void> {
    const className = await create(null)
    if (className !== null) change([{ at, value: { type, class_name: className } }])
  }
  return (
    <p className="pick-help">
      <button
        type="button"
        className="button small quiet"
        disabled={state.kind === 'busy'}
        onClick={() => void start()}
      >
        Extract with a custom class
      </button>
      {state.kind === 'failed' && <span role="alert"> {state.trouble}</span>}
    </p>
  )
}
