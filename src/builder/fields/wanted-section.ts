/** A section that is to be shown as soon as its form is there: opened, in view, and with the focus where that is wanted. */
import { createStore } from '../store.ts'

export type WantedSection = { readonly title: string; readonly takesFocus: boolean }

const wanted = createStore<WantedSection | null>(null)

export const useWantedSection = wanted.use
export const wantSection = wanted.set
