/** Something was done, and can perhaps be undone: one short sentence at a time. */
import { createStore } from '../store.ts'

export type ShownNotice = {
  readonly text: string
  readonly action?: { readonly label: string; readonly run: () => void }
}

const notice = createStore<ShownNotice | null>(null)

export const useNotice = notice.use
export const showNotice = notice.set

/** Leaves a notice alone that was shown since. */
export function closeNotice(shown: ShownNotice): void {
  if (notice.get() === shown) notice.set(null)
}
