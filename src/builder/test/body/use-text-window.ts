/** The lines at hand of a long text, and how to have others: further on, further up, or anywhere. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import {
  emptyWindow,
  lineAt,
  linesOf,
  mostParts,
  partLength,
  partsIn,
  type TextSource,
  withPart,
} from './text-window.ts'

/** Where to scroll, once, after the lines changed. */
type Target = { readonly line: number; readonly align: 'start' | 'center' }
type Wish = { readonly at: number; readonly align: Target['align'] }

export function useTextWindow(source: TextSource) {
  const [window, setWindow] = useState(emptyWindow)
  const [wish, setWish] = useState<Wish | null>(null)
  /** The part that is on its way: one at a time. */
  const loading = useRef<object | null>(null)
  const lines = useMemo(() => (window.parts.length === 0 ? [] : linesOf(window)), [window])
  const target = useMemo<Target | null>(
    () => (wish === null || lines.length === 0 ? null : { line: lineAt(lines, wish.at), align: wish.align }),
    [wish, lines],
  )

  const [opened, setOpened] = useState(source)
  if (source !== opened) {
    setOpened(source)
    setWindow(emptyWindow)
    setWish(null)
  }
  const take = useCallback(
    (number: number, wished: Wish | null) => {
      const turn = {}
      loading.current = turn
      const arrive = (text: string): void => {
        setWish(wished)
        setWindow((before) => withPart(before, number, text))
      }
      source
        .part(number)
        // A later one may have been more urgent, or of another body.
        .then((text) => loading.current === turn && arrive(text))
        // Said by whoever made the source; the next scroll asks again.
        .catch(() => {})
        .finally(() => {
          if (loading.current === turn) loading.current = null
        })
    },
    [source],
  )
  useEffect(() => take(0, null), [take])

  const more = useCallback(
    (where: 'before' | 'after', seenAt: number) => {
      const { first, parts } = window
      const next = where === 'after' ? first + parts.length : first - 1
      if (loading.current !== null || parts.length === 0 || next < 0 || next >= partsIn(source.total)) return
      const movesUp = where === 'before' || parts.length >= mostParts
      take(next, movesUp ? { at: seenAt, align: 'start' } : null)
    },
    [window, source, take],
  )
  const show = useCallback(
    (at: number) => {
      const number = Math.floor(at / partLength)
      const { first, parts } = window
      const wished: Wish = { at, align: 'center' }
      if (number >= first && number < first + parts.length) setWish(wished)
      else take(number, wished)
    },
    [window, take],
  )
  return { lines, target, show, more }
}
