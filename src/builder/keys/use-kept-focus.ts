/** What goes away with the focus in it leaves that to the content: the next Tab does not start at the top of the page. */
import { type RefObject, useLayoutEffect } from 'react'

export function useKeptFocus(place: RefObject<HTMLElement | null>): void {
  // An effect of the layout ends while the element is still there.
  useLayoutEffect(() => {
    const element = place.current
    return () => {
      if (element?.contains(document.activeElement)) focusContent()
    }
  }, [place])
}

/** The same after a change that may remove what had the focus, once it is drawn. */
export function keepFocusAfterDrawing(): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) focusContent()
  })
}

function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true })
}
