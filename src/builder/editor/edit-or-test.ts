/** Where there is no room for both: whether the user edits or tests. */
import type { MouseEvent } from 'react'
import { type AppRoute, followLink, goTo } from '../router.ts'
import { createStore } from '../store.ts'

export type Pane = 'edit' | 'test'

const pane = createStore<Pane>('edit')

export const usePane = pane.use

/** Does nothing where both are shown. */
export const showPane = pane.set

/** Shows what is there to be edited, also where the test was shown. */
export function goToEdit(change: Partial<AppRoute>): void {
  showPane('edit')
  goTo(change)
}

/** The same for links. */
export function followToEdit(event: MouseEvent, change: Partial<AppRoute>): void {
  followLink(event, change)
  if (event.defaultPrevented) showPane('edit')
}
