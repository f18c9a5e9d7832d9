/** Light, dark, or as the system has it; remembered by this browser. */
import { useSyncExternalStore } from 'react'
import { recall, remember } from '../local-storage.ts'
import { openListeners } from '../listeners.ts'

export type Theme = 'system' | 'light' | 'dark'

export const themes: readonly Theme[] = ['system', 'light', 'dark']

const { subscribe, notify } = openListeners()
let theme: Theme = themes.find((one) => one === recall('theme')) ?? 'system'

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => theme)
}

export function setTheme(chosen: Theme): void {
  theme = chosen
  remember('theme', chosen === 'system' ? null : chosen)
  applyTheme()
  notify()
}

/** Before the first paint, so that no page flashes in the other colours. */
export function applyTheme(): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
