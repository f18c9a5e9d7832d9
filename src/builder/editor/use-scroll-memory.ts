/** How far each part was scrolled: who comes back to a stream is where they left it. */
import { type RefObject, useLayoutEffect, useRef } from 'react'

/** @param part what is shown now; a part that was not shown before starts at its top. */
export function useScrollMemory(scroller: RefObject<HTMLElement | null>, part: string): void {
  const memory = useRef(new Map<string, number>())
  useLayoutEffect(() => {
    const element = scroller.current
    const known = memory.current
    if (element === null) return
    const top = known.get(part) ?? 0
    // What is shown first is at its top: to scroll there would only lay the page out once more.
    if (known.size > 0) element.scrollTo({ top, behavior: 'instant' })
    known.set(part, top)
    const note = () => void known.set(part, element.scrollTop)
    element.addEventListener('scroll', note, { passive: true })
    return () => element.removeEventListener('scroll', note)
  }, [scroller, part])
}
