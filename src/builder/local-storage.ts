/** Small choices that this browser keeps, or this tab: the theme, widths, a draft. A browser that keeps nothing is no trouble. */

const prefix = 'turnleaf-'

/** `sessionStorage` ends with the tab. */
type StorageName = 'localStorage' | 'sessionStorage'

export function recall(key: string, storage: StorageName = 'localStorage'): string | null {
  try {
    return window[storage].getItem(prefix + key)
  } catch {
    return null
  }
}

/** The keys that begin so. */
export function keysInStorage(start: string): string[] {
  try {
    return Object.keys(window.localStorage)
      .filter((key) => key.startsWith(prefix + start))
      .map((key) => key.slice(prefix.length))
  } catch {
    return []
  }
}

/** @returns whether it was kept. */
export function remember(key: string, value: string | null, storage: StorageName = 'localStorage'): boolean {
  try {
    if (value === null) window[storage].removeItem(prefix + key)
    else window[storage].setItem(prefix + key, value)
    return true
  } catch {
    // No storage, or no room in it.
    return false
  }
}
