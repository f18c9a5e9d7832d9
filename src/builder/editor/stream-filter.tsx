/** Finds one of many streams: `/` goes there, Esc shows all again. What is open stays open. */
import { useRef } from 'react'
import { count } from '../../std/text/format-count.ts'
import { Icon } from '../icons.tsx'
import { useKeys } from '../keys/use-keys.ts'

export function StreamFilter({
  wanted,
  onWanted,
  found,
}: {
  readonly wanted: string
  readonly onWanted: (wanted: string) => void
  /** How many match; null while nothing is looked for. */
  readonly found: number | null
}) {
  const field = useRef<HTMLInputElement>(null)
  useKeys({ '/': () => field.current?.select() })
  return (
    <div className="stream-filter">
      <Icon name="search" />
      <input
        ref={field}
        className="input"
        type="search"
        placeholder="Filter"
        aria-label="Filter streams"
        aria-keyshortcuts="/"
        value={wanted}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => onWanted(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          // A test that runs is not cancelled: there was something to close.
          event.preventDefault()
          if (wanted === '') field.current?.blur()
          onWanted('')
        }}
      />
      <kbd aria-hidden="true">/</kbd>
      <p className="hidden" role="status">
        {found === null ? '' : count(found, 'stream')}
      </p>
      {found === 0 && <p className="none">No stream matches.</p>}
    </div>
  )
}
