/** Whether the name of the open connector is being changed: started from its menu, or from the palette. */
import { createStore } from '../store.ts'

const renaming = createStore(false)

export const useRenaming = renaming.use
export const startRenaming = () => renaming.set(true)
export const endRenaming = () => renaming.set(false)
