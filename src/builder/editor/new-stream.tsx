/** A stream that is about to be: its name and its path, nothing else. */
import { useEffect, useId, useRef, useState } from 'react'
import { useKeysIn } from '../keys/use-keys-in.ts'
import { goToEdit } from './edit-or-test.ts'
import { useSessionStore } from '../session/use-session.tsx'
import { addNewStream } from './stream-edits.ts'
import { useStreams } from './use-streams.ts'

/** @param onEnd with the name of what was added, if anything was. */
export function NewStream({ onEnd }: { onEnd: (added: string | null) => void }) {
  const id = useId()
  const store = useSessionStore()
  const taken = useStreams().map((stream) => stream.name)
  const [name, setName] = useState('')
  const [path, setPath] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)
  useKeysIn(form, ({ key }) => {
    if (key === 'Escape') onEnd(null)
  })
  useEffect(() => field.current?.focus(), [])
  const isTaken = taken.includes(name.trim())
  const shownPath = path ?? (name === '' ? '' : `/${name.trim().replace(/^\/+/, '')}`)

  return (
    <form
      ref={form}
      className="new-stream appears"
      aria-label="New stream"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() === '' || isTaken) return field.current?.focus()
        // What was typed stays until it can be added.
        if (!addNewStream(store, name.trim(), shownPath)) return
        goToEdit({ part: name.trim(), view: 'form' })
        onEnd(name.trim())
      }}
    >
      <div className="field">
        <label htmlFor={`${id}-name`}>Name</label>
        <input
          id={`${id}-name`}
          ref={field}
          className="input"
          placeholder="orders"
          value={name}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={isTaken || undefined}
          aria-describedby={isTaken ? `${id}-taken` : undefined}
          onChange={({ target }) => setName(target.value)}
        />
        {isTaken && (
          <p className="wrong" id={`${id}-taken`}>
            A stream with that name exists.
          </p>
        )}
      </div>
      <div className="field">
        <label htmlFor={`${id}-path`}>Path</label>
        <input
          id={`${id}-path`}
          className="input mono"
          placeholder="/orders"
          value={shownPath}
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => setPath(target.value)}
        />
      </div>
      <div className="buttons">
        <button type="submit" className="button main small" disabled={name.trim() === '' || isTaken}>
          Add
        </button>
        {taken.length > 0 && (
          <button type="button" className="button quiet small" onClick={() => onEnd(null)}>
            Cancel
          </button>
        )}
      </div>
    </form>
  )
}
