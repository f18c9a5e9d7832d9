/** The lines at hand of a long text, and how to have others: further on, further up, or anywhere. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { TextSource } from './text-source.ts'
import { emptyWindow, lineAt, windowLines, partLength, partsIn, withPart } from './text-window.ts'

/** In pixels. */
export const lineHeight = 20

/** A character, and where its line is to be: so many pixels below the upper edge. */
type Wish = { readonly at: number; readonly below: number }

/** @param scroller what the lines scroll in; it has nothing else in it. */
export function useTextWindow(source: TextSource, scroller: RefObject<HTMLElement | null>) {
  const [window, setWindow] = useState(emptyWindow)
  const [wish, setWish] = useState<Wish | null>(null)
  const lines = useMemo(() => (window.parts.length === 0 ? [] : windowLines(window)), [window])
  /** The part that is on its way: one at a time. */
  const loading = useRef<object | null>(null)
  const latest = useRef(lines)
  useEffect(() => {
    latest.current = lines
  }, [lines])

  const [opened, setOpened] = useState(source)
  if (source !== opened) {
    setOpened(source)
    setWindow(emptyWindow)
    setWish(null)
  }

  // Lines come and go above what is looked at: it stays where it is.
  useLayoutEffect(() => {
    if (wish === null || lines.length === 0 || scroller.current === null) return
    scroller.current.scrollTo({ top: lineAt(lines, wish.at) * lineHeight - wish.below })
  }, [wish, lines, scroller])

  const take = useCallback(
    (number: number, wished: Wish | null) => {
      const turn = {}
      loading.current = turn
      const arrive = (text: string): void => {
        setWish(wished ?? seenIn(latest.current, scroller.current?.scrollTop ?? 0))
        setWindow((before) => withPart(before, number, text))
      }
      source
        .read(number * partLength, partLength)
        // A later one may have been more urgent, or of another body.
        .then((text) => loading.current === turn && arrive(text))
        // The source reports the error; the next scroll tries again.
        .catch(() => {})
        .finally(() => {
          if (loading.current === turn) loading.current = null
        })
    },
    [source, scroller],
  )
  useEffect(() => take(0, null), [take])

  const more = useCallback(
    (where: 'before' | 'after') => {
      const { first, parts } = window
      const next = where === 'after' ? first + parts.length : first - 1
      const isThere = next >= 0 && next < partsIn(source.total)
      if (loading.current === null && parts.length > 0 && isThere) take(next, null)
    },
    [window, source, take],
  )
  const show = useCallback(
    (at: number) => {
      const number = Math.floor(at / partLength)
      const wished = { at, below: (scroller.current?.clientHeight ?? 0) / 2 }
      const { first, parts } = window
      if (number >= first && number < first + parts.length) setWish(wished)
      else take(number, wished)
    },
    [window, take, scroller],
  )
  return { lines, show, more }
}

function seenIn(lines: readonly { readonly at: number }[], scrollTop: number): Wish | null {
  const index = Math.floor(scrollTop / lineHeight)
  const line = lines[index]
  return line === undefined ? null : { at: line.at, below: index * lineHeight - scrollTop }
}
