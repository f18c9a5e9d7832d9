/** What goes away with the focus in it leaves that to the content: the next Tab does not start at the top of the page. */
import { type RefObject, useLayoutEffect } from 'react'

export function useKeptFocus(place: RefObject<HTMLElement | null>): void {
  // An effect of the layout ends while the element is still there.
  useLayoutEffect(() => {
    const element = place.current
    return () => {
      if (element?.contains(document.activeElement)) document.getElementById('content')?.focus({ preventScroll: true })
    }
  }, [place])
}
