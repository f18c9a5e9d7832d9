/** The name of a class of the connector; where the class is not there yet, one click creates its file. */
import { type ReactNode, useState } from 'react'
import { type Path, pointerOf } from '../../document/value-path.ts'
import type { CreatedClass } from '../../server/wire/connector.ts'
import { AskError } from '../api/ask.ts'
import { createClassFile } from '../api/connectors.ts'
import { askAgain } from '../api/queries.ts'
import { useField } from '../session/use-field.ts'
import { useInspection } from '../session/use-inspection.ts'
import { useSession } from '../session/use-session.tsx'
import { createStoreByKey } from '../store.ts'
import { CopyButton } from '../test-reads/copy-button.tsx'
import { proposedClassName } from './class-name.ts'
import { listStreamNames, streamsOfUsers, usersSharing } from './shared-streams.ts'
import { TextField } from './text-field.tsx'
import './class-field.css'

/** What is said of a class that is named and not there. */
const missing = new Set(['plan/class-file-missing', 'plan/class-missing', 'plan/no-folder'])

export function ClassField({
  at,
  type,
  label = 'Class name',
  help = 'A class of this connector.',
}: {
  /** Of the component. */
  readonly at: Path
  /** `CustomTransformation` */
  readonly type: string
  readonly label?: string
  readonly help?: ReactNode
}) {
  const nameAt = [...at, 'class_name']
  const { value, writtenAt, set } = useField(nameAt)
  const problems = useInspection()?.problems ?? []
  const pointer = pointerOf(writtenAt)
  const isNamed = typeof value === 'string' && value !== ''
  const isMissing = problems.some((one) => missing.has(one.code) && one.at.pointer === pointer)
  const { create, state } = useCreatingClass(type)
  async function createNamed(): Promise<void> {
    const created = await create(isNamed ? value : null)
    if (created !== null && !isNamed) set(created)
  }
  return (
    <div className="class-field">
      <TextField
        at={nameAt}
        label={label}
        isRequired
        isCode
        placeholder="source_shop.components.ClassName"
        help={help}
      />
      {(!isNamed || isMissing) && (
        <button
          type="button"
          className="button small"
          disabled={state.kind === 'busy'}
          onClick={() => void createNamed()}
        >
          {isNamed ? 'Create its file' : 'Create a custom class'}
        </button>
      )}
      {isNamed && !isMissing && <Created className={value} at={nameAt} />}
      {state.kind === 'failed' && <p role="alert">{state.trouble}</p>}
    </div>
  )
}

/** By connector and class: the field may be another one by the time that the class is there. */
const createdClasses = createStoreByKey<CreatedClass>()
const createdKey = (connector: string, className: string) => `${connector} ${className}`

function Created({ className, at }: { readonly className: string; readonly at: Path }) {
  const connector = useSession((session) => session.name)
  const root = useSession(({ document }) => document.value)
  const created = createdClasses.use(createdKey(connector, className), (one) => one)
  if (created === undefined) return null
  const streams = streamsOfUsers(root, usersSharing(root, at))
  return (
    <div className="made" role="status">
      <p>
        Created <code>{created.file}</code> in the folder of the connector. It runs as it is: open the file in your
        editor to change it.
        {streams.length > 1 &&
          ` ${streams.length} streams share this part and use the class: ${listStreamNames(streams)}.`}
      </p>
      <p className="path">
        <code>{created.path}</code> <CopyButton label="Copy path" text={() => created.path} />
      </p>
    </div>
  )
}

type CreatingClass = { readonly kind: 'none' | 'busy' } | { readonly kind: 'failed'; readonly trouble: string }

/** A class that is not named yet gets the proposed name; one of that name that is there already is the one that is meant. */
export function useCreatingClass(type: string): {
  readonly state: CreatingClass
  /** Resolves to the name of a class that is there now; null where it could not be created. */
  readonly create: (given: string | null) => Promise<string | null>
} {
  const connector = useSession((session) => session.name)
  const [state, setState] = useState<CreatingClass>({ kind: 'none' })
  return {
    state,
    async create(given) {
      setState({ kind: 'busy' })
      const className = given ?? proposedClassName(connector, type)
      try {
        createdClasses.set(createdKey(connector, className), await createClassFile(connector, { className, type }))
        setState({ kind: 'none' })
      } catch (error) {
        if (!(error instanceof AskError)) throw error
        if (given !== null || error.problem?.status !== 409) {
          setState({ kind: 'failed', trouble: `${error.message} ${error.problem?.hint ?? ''}`.trim() })
          return null
        }
        setState({ kind: 'none' })
      }
      // The text may be the same: only what is known of its classes has changed.
      await askAgain(['inspection', connector])
      return className
    },
  }
}
