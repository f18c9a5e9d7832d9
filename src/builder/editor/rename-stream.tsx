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
  readonly onEnd: () => void
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

  function end(isWanted: boolean): void {
    const stream = streamOfRow(store.get().document.value, id)
    if (isWanted && name.trim() !== '' && name.trim() !== before && !isTaken && stream !== null) {
      renameInOutline(store, stream, name.trim())
    }
    onEnd()
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
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Enter' && !isTaken) end(true)
        if (event.key === 'Escape') end(false)
      }}
    />
  )
}
