/** One stream of the outline: opened, renamed, copied, moved, deleted. */
import { type KeyboardEvent, memo, useEffect, useId, useRef, useState } from 'react'
import { Icon } from '../icons.tsx'
import { keyLabel } from '../keys/use-keys.ts'
import { Menu } from '../menu/menu.tsx'
import { routePath, followLink } from '../router.ts'
import type { SessionStore } from '../session/session.ts'
import { useSessionStore } from '../session/use-session.tsx'
import { focusRow, nameIn } from './focus-row.ts'
import { canEdit, duplicateInOutline, moveInOutline, removeInOutline, renameInOutline } from './stream-edits.ts'
import { streamOfRow } from './outline-rows.ts'
import { type StreamPlace, useStreams } from './use-streams.ts'

type Props = {
  readonly id: string
  readonly connector: string
  readonly name: string
  readonly isCurrent: boolean
  readonly canRise: boolean
  readonly canSink: boolean
  readonly errors: number
  readonly warnings: number
  readonly onChosen: (() => void) | undefined
}

/** Of five hundred rows, a key or another stream changes two at most: a row does not know its place, which many others change. */
export const StreamRow = memo(DrawnRow)

function DrawnRow({ id, connector, name, isCurrent, canRise, canSink, errors, warnings, onChosen }: Props) {
  const store = useSessionStore()
  const row = useRef<HTMLLIElement>(null)
  const link = useRef<HTMLAnchorElement>(null)
  const [renamedFrom, setRenamedFrom] = useState<'row' | 'menu' | null>(null)
  useEffect(() => {
    // One of two hundred may be far below, when an address or a new name opens it.
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  const target = { connector, part: name, view: 'form' } as const

  function change(edit: (store: SessionStore, stream: StreamPlace) => void): void {
    const stream = streamOfRow(store.get().document.value, id)
    if (stream !== null) edit(store, stream)
  }

  function move(step: 1 | -1): void {
    if (step < 0 ? !canRise : !canSink) return
    change((...at) => moveInOutline(...at, step))
    // The row is drawn anew at its new place, also in a list that is filtered: the focus goes with it.
    focusRow(row.current, name)
  }

  function rename(from: 'row' | 'menu'): void {
    if (canEdit(store)) setRenamedFrom(from)
  }

  function remove(): void {
    if (!canEdit(store)) return
    const beside = row.current?.nextElementSibling ?? row.current?.previousElementSibling
    focusRow(row.current, nameIn(beside))
    change(removeInOutline)
  }

  function press(event: KeyboardEvent): void {
    if (event.altKey && event.key === 'ArrowUp') move(-1)
    else if (event.altKey && event.key === 'ArrowDown') move(1)
    else if (event.key === 'F2') rename('row')
    else if (event.key === 'Delete') remove()
    else return
    event.preventDefault()
  }

  if (renamedFrom !== null) {
    return (
      <li className="stream" ref={row}>
        <RenameStream
          id={id}
          name={name}
          isFromMenu={renamedFrom === 'menu'}
          onEnd={(newName) => {
            if (newName !== null) focusRow(row.current, newName)
            setRenamedFrom(null)
          }}
        />
      </li>
    )
  }
  return (
    <li className="stream" ref={row}>
      <a
        ref={link}
        className="entry"
        href={routePath(target)}
        aria-current={isCurrent || undefined}
        onClick={(event) => {
          followLink(event, target)
          onChosen?.()
        }}
        onDoubleClick={() => rename('row')}
        onKeyDown={press}
      >
        <span className="name" title={name}>
          {name}
        </span>
        {errors + warnings > 0 && (
          <span className="dot" data-severity={errors > 0 ? 'error' : 'warning'} title={counted(errors, warnings)}>
            <Icon name="warning" />
            <span className="hidden">{counted(errors, warnings)}</span>
          </span>
        )}
      </a>
      <Menu
        name={`Actions for ${name}`}
        className="button quiet icon-only row-menu"
        face={<Icon name="more" />}
        choices={[
          { label: 'Rename', hint: keyLabel('f2'), onChoose: () => rename('menu') },
          { label: 'Duplicate', onChoose: () => change(duplicateInOutline) },
          { label: 'Move up', hint: keyLabel('alt+↑'), isOff: !canRise, onChoose: () => move(-1) },
          { label: 'Move down', hint: keyLabel('alt+↓'), isOff: !canSink, onChoose: () => move(1) },
          null,
          { label: 'Delete', isHarmful: true, onChoose: remove },
        ]}
      />
    </li>
  )
}

/** A stream's name, being changed in its row. Enter takes it, Esc leaves it. */
function RenameStream({
  id,
  name: before,
  isFromMenu,
  onEnd,
}: {
  /** Of its row. */
  readonly id: string
  readonly name: string
  readonly isFromMenu: boolean
  /** With the name that the row has now, where a key ended it and the focus belongs there. */
  readonly onEnd: (name: string | null) => void
}) {
  const store = useSessionStore()
  const faultId = useId()
  const [name, setName] = useState(before)
  const field = useRef<HTMLInputElement>(null)
  // The next key may follow at once. A menu returns the focus to its button first.
  useEffect(() => {
    if (!isFromMenu) return field.current?.select()
    const frame = requestAnimationFrame(() => field.current?.select())
    return () => cancelAnimationFrame(frame)
  }, [isFromMenu])
  const isTaken = useStreams().some((stream) => stream.name === name.trim() && stream.name !== before)

  /** The name of the row after it. */
  function take(isWanted: boolean): string {
    const stream = streamOfRow(store.get().document.value, id)
    const isTakable = isWanted && name.trim() !== '' && name.trim() !== before && !isTaken && stream !== null
    if (isTakable) renameInOutline(store, stream, name.trim())
    return isTakable ? name.trim() : before
  }

  return (
    <div className="renaming">
      <input
        ref={field}
        className="input rename"
        aria-label={`New name of ${before}`}
        aria-invalid={isTaken || undefined}
        aria-describedby={isTaken ? faultId : undefined}
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
      {isTaken && (
        <p className="fault" id={faultId} role="alert">
          There is a stream {name.trim()} already. Choose another name.
        </p>
      )}
    </div>
  )
}

function counted(errors: number, warnings: number): string {
  const parts = [
    errors > 0 && `${errors} ${errors === 1 ? 'error' : 'errors'}`,
    warnings > 0 && `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`,
  ]
  return parts.filter(Boolean).join(', ')
}
