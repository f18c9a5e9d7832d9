/** The rows on screen, told a few times a second: what scrolls past is not loaded, and scrolling draws the table only. */
import { useCallback, useEffect, useRef, useState } from 'react'

type SeenRows = { readonly first: number; readonly last: number }

const toldEveryMs = 100

export function useSeenRows(): { readonly seen: SeenRows; readonly see: (first: number, last: number) => void } {
  const [seen, setSeen] = useState<SeenRows>({ first: 0, last: 0 })
  const latest = useRef(seen)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const see = useCallback((first: number, last: number) => {
    latest.current = { first, last }
    timer.current ??= setTimeout(() => {
      timer.current = null
      setSeen(latest.current)
    }, toldEveryMs)
  }, [])
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current)
      timer.current = null
    },
    [],
  )
  return { seen, see }
}
