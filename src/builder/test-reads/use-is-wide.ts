/** Whether a box has room for two columns. */
import { type RefObject, useEffect, useState } from 'react'

export function useIsWide(box: RefObject<HTMLElement | null>, fromWidth: number): boolean {
  const [isWide, setWide] = useState(false)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const observer = new ResizeObserver(([entry]) => setWide((entry?.contentRect.width ?? 0) >= fromWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [box, fromWidth])
  return isWide
}
