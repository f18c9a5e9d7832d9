/** What the parts of the page that are shown offer: each lists its own, and the palette shows them all. */
import { useEffect, useRef } from 'react'
import type { Command } from './commands.ts'

type Offer = () => readonly Command[]

const offers = new Set<Offer>()

/** Offered for as long as the component is shown; asked when the palette opens. */
export function useCommands(offer: Offer): void {
  const latest = useRef(offer)
  useEffect(() => {
    latest.current = offer
  })
  useEffect(() => {
    const one: Offer = () => latest.current()
    offers.add(one)
    return () => void offers.delete(one)
  }, [])
}

export function offeredCommands(): Command[] {
  return [...offers].flatMap((offer) => offer())
}
