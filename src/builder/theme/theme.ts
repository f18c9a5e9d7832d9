/** Light, dark, or as the system has it; remembered by this browser. */
import { recall, remember } from '../local-storage.ts'
import { createStore } from '../store.ts'

export type Theme = 'system' | 'light' | 'dark'

export const themes: readonly Theme[] = ['system', 'light', 'dark']

const theme = createStore<Theme>(themes.find((one) => one === recall('theme')) ?? 'system')

export const useTheme = theme.use

export function setTheme(chosen: Theme): void {
  theme.set(chosen)
  remember('theme', chosen === 'system' ? null : chosen)
  applyTheme()
}

/** Before the first paint, so that no page flashes in the other colours. */
export function applyTheme(): void {
  if (theme.get() === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme.get()
}
