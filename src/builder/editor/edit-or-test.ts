/** Where there is no room for both: whether the user edits or tests. */
import { createStore } from '../store.ts'

export type Pane = 'edit' | 'test'

const pane = createStore<Pane>('edit')

export const usePane = pane.use

/** Does nothing where both are shown. */
export const showPane = pane.set
