/** Text of any length, line by line: parts load while scrolling, and distant ones are dropped. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { Marked } from './marked.tsx'
import { noSearch, type Search } from './search-field.tsx'
import { searchText, type TextSource } from './text-source.ts'
import { lineHeight, useTextWindow } from './use-text-window.ts'

/** Parts are requested before their lines are visible. */
const aheadRows = 200

export type BodyTextProps = {
  readonly source: TextSource
  readonly label: string
  readonly search?: Search
  readonly onFound?: (words: string) => void
}

export function BodyText({ source, label, search = noSearch, onFound }: BodyTextProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const { lines, show, more } = useTextWindow(source, scroller)
  const found = useTextSearch(source, search, onFound)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 20,
  })
  const items = virtual.getVirtualItems()
  const firstSeen = items[0]?.index ?? 0
  const lastSeen = items.at(-1)?.index ?? 0

  const shown = useRef<FoundPlace | null>(null)
  useEffect(() => {
    if (found === null || found === shown.current) return
    shown.current = found
    show(found.at)
  }, [found, show])
  useEffect(() => {
    if (lines.length === 0) return
    if (lastSeen > lines.length - aheadRows) more('after')
    else if (firstSeen < aheadRows) more('before')
  }, [lines, firstSeen, lastSeen, more])

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keys
    <div ref={scroller} className="body-text mono" role="region" aria-label={label} tabIndex={0}>
      <div className="body-lines" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start }) => {
          const line = lines[index]
          return (
            <div key={index} className="body-line" style={{ transform: `translateY(${start}px)` }}>
              {line !== undefined && <Marked text={line.text} wanted={search.wanted} />}
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** Not for every letter: each search may ask for many parts. */
const restMs = 200

/** A new one for every find, so that finding the same place again leads there again. */
type FoundPlace = { readonly at: number }

function useTextSearch(
  source: TextSource,
  { wanted, step }: Search,
  onFound: ((words: string) => void) | undefined,
): FoundPlace | null {
  const [place, setPlace] = useState<FoundPlace | null>(null)
  const last = useRef<number>(-1)
  useEffect(() => {
    if (step === 0) last.current = -1
    if (wanted === '') return
    const ending = new AbortController()
    const { signal } = ending
    const timer = setTimeout(() => void search(), step === 0 ? restMs : 0)
    async function search(): Promise<void> {
      const onProgress = (share: number) => onFound?.(`searched ${Math.floor(share * 100)} %`)
      const found = await searchText(source, wanted, last.current + 1, { signal, onProgress }).catch(() => null)
      if (signal.aborted) return
      const missing = source.isBeginning === true ? 'searching' : 'not found'
      onFound?.(found === null ? missing : 'found')
      if (found !== null) last.current = found
      setPlace(found === null ? null : { at: found })
    }
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [source, wanted, step, onFound])
  return wanted === '' ? null : place
}
