/** A connector's name, being changed in its place. Enter takes it, Esc leaves it. */
import { useEffect, useId, useRef, useState } from 'react'
import { isConnectorName, nameAsTyped } from './connector-names.ts'
import './rename-field.css'

export function RenameField({
  name,
  onRename,
  onEnd,
}: {
  readonly name: string
  /** Resolves to why not; null where it was done. */
  readonly onRename: (to: string) => Promise<string | null>
  readonly onEnd: () => void
}) {
  const id = useId()
  const [typed, setTyped] = useState(name)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  // Focused late: the menu that opened this returns the focus to its button first.
  useEffect(() => {
    const frame = requestAnimationFrame(() => field.current?.select())
    return () => cancelAnimationFrame(frame)
  }, [])
  const fault = typed !== '' && !isConnectorName(typed) ? 'Lower-case letters, digits, - and _.' : refusal

  async function take(): Promise<void> {
    if (typed === name) return onEnd()
    if (!isConnectorName(typed) || isBusy) return
    setBusy(true)
    const why = await onRename(typed)
    setBusy(false)
    setRefusal(why)
    if (why === null) onEnd()
    else field.current?.focus()
  }

  return (
    <form
      className="rename-connector"
      onSubmit={(event) => {
        event.preventDefault()
        void take()
      }}
    >
      <input
        ref={field}
        className="input"
        aria-label={`New name of ${name}`}
        aria-invalid={fault !== null || undefined}
        aria-describedby={fault === null ? undefined : id}
        value={typed}
        maxLength={63}
        spellCheck={false}
        autoComplete="off"
        readOnly={isBusy}
        onChange={({ target }) => {
          setTyped(nameAsTyped(target.value))
          setRefusal(null)
        }}
        onBlur={({ currentTarget, relatedTarget }) => {
          const isOwn = currentTarget.form?.contains(relatedTarget) === true
          // A refusal stays until it is read; a click elsewhere leaves the name as it was.
          if (relatedTarget !== null && !isOwn && refusal === null && !isBusy) onEnd()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          event.stopPropagation()
          onEnd()
        }}
      />
      <button type="submit" className="button small main" disabled={isBusy}>
        Rename
      </button>
      {fault !== null && (
        <p className="fault" id={id} role="alert">
          {fault}
        </p>
      )}
    </form>
  )
}
