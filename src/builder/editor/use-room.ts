/** How many columns fit: three, two or one. editor.css has the same widths. */
import { useSyncExternalStore } from 'react'

export type Room = 'three' | 'two' | 'one'

const three = window.matchMedia('(min-width: 1100px)')
const two = window.matchMedia('(min-width: 700px)')

export function useRoom(): Room {
  return useSyncExternalStore(subscribe, () => (three.matches ? 'three' : two.matches ? 'two' : 'one'))
}

function subscribe(listener: () => void): () => void {
  three.addEventListener('change', listener)
  two.addEventListener('change', listener)
  return () => {
    three.removeEventListener('change', listener)
    two.removeEventListener('change', listener)
  }
}
