/** A search within a body: `/` leads to it, Enter to the next place, Shift-Enter to the one before. */
import { type KeyboardEvent, type RefObject, useEffect } from 'react'

export type Search = {
  readonly wanted: string
  /** Counts up with each "next", down with each "previous". */
  readonly step: number
}

export const noSearch: Search = { wanted: '', step: 0 }

export type SearchFieldProps = {
  readonly label: string
  readonly search: Search
  /** In words: `3 of 41`. */
  readonly found: string
  readonly onSearch: (search: Search) => void
}

export function SearchField({ label, search, found, onSearch }: SearchFieldProps) {
  const { wanted, step } = search
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey)
      onSearch({ wanted, step: step + (event.shiftKey ? -1 : 1) })
    else if (event.key === 'Escape' && wanted !== '') onSearch(noSearch)
    else return
    event.preventDefault()
  }
  return (
    <div className="search">
      <input
        type="search"
        className="input"
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder="Search  /"
        spellCheck={false}
        autoComplete="off"
        value={wanted}
        onChange={({ target }) => onSearch({ wanted: target.value, step: 0 })}
        onKeyDown={onKeyDown}
      />
      <span className="found" aria-live="polite">
        {wanted === '' ? '' : found}
      </span>
    </div>
  )
}

/** `/` anywhere in the box, except where it is typed. */
export function useSlashKey(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = box.current
    function onKeyDown(event: globalThis.KeyboardEvent): void {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
      if (event.key !== '/' || isTyping) return
      event.preventDefault()
      element?.querySelector<HTMLInputElement>('input[type="search"]')?.focus()
    }
    element?.addEventListener('keydown', onKeyDown)
    return () => element?.removeEventListener('keydown', onKeyDown)
  }, [box])
}
