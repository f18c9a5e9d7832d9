/** Esc inside a box closes it, and nothing around it; a list that is open in it closes first. */
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

export function useEscape(onEscape: () => void): RefObject<HTMLElement | null> {
  const box = useRef<HTMLElement>(null)
  const escape = useEffectEvent(onEscape)
  useEffect(() => {
    const element = box.current
    const key = (event: KeyboardEvent) => {
      const hasList = element?.querySelector('[aria-activedescendant]') != null
      if (event.key !== 'Escape' || event.defaultPrevented || hasList) return
      event.stopPropagation()
      escape()
    }
    element?.addEventListener('keydown', key)
    return () => element?.removeEventListener('keydown', key)
  }, [])
  return box
}
