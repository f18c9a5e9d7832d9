/** Keys pressed anywhere inside an element that is no control itself: a list, a form. */
import { type RefObject, useEffect, useRef } from 'react'

export function useKeysIn<Element extends HTMLElement>(
  place: RefObject<Element | null>,
  press: (event: KeyboardEvent, place: Element) => void,
): void {
  const latest = useRef(press)
  useEffect(() => {
    latest.current = press
  })
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const listen = (event: KeyboardEvent) => latest.current(event, element)
    element.addEventListener('keydown', listen)
    return () => element.removeEventListener('keydown', listen)
  }, [place])
}

/** Arrow up and down go from one control to the next, among those that the selector finds. */
export function useArrowsIn(place: RefObject<HTMLElement | null>, selector: string): void {
  useKeysIn(place, (event, element) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined || event.altKey || !(event.target instanceof HTMLElement)) return
    const controls = [...element.querySelectorAll<HTMLElement>(selector)]
    const at = controls.indexOf(event.target)
    const next = at < 0 ? undefined : controls[at + step]
    if (next === undefined) return
    event.preventDefault()
    next.focus()
  })
}
