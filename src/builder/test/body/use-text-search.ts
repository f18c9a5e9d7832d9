/** Searches a long text part by part, without holding anything up; a new search ends the one before. */
import { useEffect, useRef, useState } from 'react'
import type { Search } from './search-field.tsx'
import { partsIn, searchText, type TextSource } from './text-window.ts'

/** Not for every letter: each search may ask for many parts. */
const restMs = 200

/** A new one for every find, so that finding the same place again leads there again. */
export type FoundPlace = { readonly at: number }

export function useTextSearch(
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
    const parts = partsIn(source.total)
    const timer = setTimeout(
      async () => {
        const onPart = (searched: number) => onFound?.(`searched ${searched} of ${parts}`)
        const found = await searchText(
          source,
          wanted,
          last.current + 1,
          parts > 1 ? { signal, onPart } : { signal },
        ).catch(() => null)
        if (signal.aborted) return
        onFound?.(found === null ? 'not found' : 'found')
        if (found !== null) last.current = found
        setPlace(found === null ? null : { at: found })
      },
      step === 0 ? restMs : 0,
    )
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [source, wanted, step, onFound])
  return wanted === '' ? null : place
}
