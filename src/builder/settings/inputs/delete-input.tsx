/** Takes an input out of the spec; where the manifest uses it, only after saying so. */
import { useState } from 'react'
import type { Path } from '../../../document/value-path.ts'
import { showUndoNotice } from '../../session/undo-notice.ts'
import { useSession, useSessionStore } from '../../session/use-session.tsx'
import { inputUses } from './config-references.ts'
import { removeInput } from './spec-inputs.ts'

export function DeleteInput({ name, title }: { name: string; title: string }) {
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
