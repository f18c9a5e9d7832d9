/** Searches a long text part by part, without holding anything up; a new search ends the one before. */
import { useEffect, useRef, useState } from 'react'
import type { Search } from './search-field.tsx'
import { searchText, type TextSource } from './text-source.ts'

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
