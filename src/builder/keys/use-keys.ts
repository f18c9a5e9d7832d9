/** Keys that work anywhere on the page. `mod` is ⌘ on a Mac and Ctrl elsewhere. */
import { useEffect, useRef } from 'react'

/** `mod+s`, `mod+shift+z`, `/`, `?`. */
export type Keys = Readonly<Record<string, () => void>>

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  useEffect(() => {
    latest.current = keys
  })
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.isComposing) return
      const run = latest.current[nameOf(event)]
      if (run === undefined || (isTyping(event.target) && !worksWhileTyping(event))) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

function nameOf({ key, metaKey, ctrlKey, shiftKey, altKey }: KeyboardEvent): string {
  const isModified = isMac ? metaKey : ctrlKey
  // Where Shift makes another character, that character says it.
  const isShift = shiftKey && (isModified || key.length > 1)
  return [isModified && 'mod', altKey && 'alt', isShift && 'shift', key.toLowerCase()].filter(Boolean).join('+')
}

/** In a text box the browser's own undo applies, and a slash is a slash. */
function worksWhileTyping({ key, metaKey, ctrlKey }: KeyboardEvent): boolean {
  return (metaKey || ctrlKey) && !/^[zy]$/i.test(key)
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true
  return target instanceof HTMLInputElement && !/^(checkbox|radio|button|submit|range)$/.test(target.type)
}

/** `mod+s` as this keyboard has it. */
export function keyLabel(name: string): string {
  return name
    .split('+')
    .map((part) => labels[part] ?? part.toUpperCase())
    .join(isMac ? '' : ' ')
}

const labels: Readonly<Record<string, string>> = isMac
  ? { mod: '⌘', shift: '⇧', alt: '⌥', enter: '↵', escape: 'Esc', delete: '⌦' }
  : { mod: 'Ctrl', shift: 'Shift', alt: 'Alt', enter: 'Enter', escape: 'Esc', delete: 'Delete' }
