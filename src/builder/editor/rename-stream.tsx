/** A stream's name, being changed in its row. Enter takes it, Esc leaves it. */
import { useEffect, useRef, useState } from 'react'
import { useSessionStore } from '../session/use-session.tsx'
import { renameInOutline } from './stream-edits.ts'
import { streamOfRow } from './outline-rows.ts'
import { useStreams } from './use-streams.ts'

export function RenameStream({
  id,
  name: before,
  onEnd,
}: {
  /** Of its row. */
  readonly id: string
  readonly name: string
  /** With the name that the row has now, where a key ended it and the focus belongs there. */
  readonly onEnd: (name: string | null) => void
}) {
  const store = useSessionStore()
  const [name, setName] = useState(before)
  const field = useRef<HTMLInputElement>(null)
  // Focused late: the menu that opened this returns the focus to its button first.
  useEffect(() => {
    const frame = requestAnimationFrame(() => field.current?.select())
    return () => cancelAnimationFrame(frame)
  }, [])
  const isTaken = useStreams().some((stream) => stream.name === name.trim() && stream.name !== before)

  /** The name of the row after it. */
  function take(isWanted: boolean): string {
    const stream = streamOfRow(store.get().document.value, id)
    const isTakable = isWanted && name.trim() !== '' && name.trim() !== before && !isTaken && stream !== null
    if (isTakable) renameInOutline(store, stream, name.trim())
    return isTakable ? name.trim() : before
  }

  return (
    <input
      ref={field}
      className="input rename"
      aria-label={isTaken ? 'New name: there is a stream of that name' : `New name of ${before}`}
      aria-invalid={isTaken || undefined}
      value={name}
      spellCheck={false}
      autoComplete="off"
      onChange={({ target }) => setName(target.value)}
      onBlur={() => {
        take(true)
        onEnd(null)
      }}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Enter' && !isTaken) onEnd(take(true))
        if (event.key === 'Escape') onEnd(take(false))
      }}
    />
  )
}
