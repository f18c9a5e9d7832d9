/** Small choices that this browser keeps: the theme, widths, a draft. A browser that keeps nothing is no trouble. */

const prefix = 'turnleaf-'

export function recall(key: string): string | null {
  try {
    return window.localStorage.getItem(prefix + key)
  } catch {
    return null
  }
}

/** @returns whether it was kept. */
export function remember(key: string, value: string | null): boolean {
  try {
    if (value === null) window.localStorage.removeItem(prefix + key)
    else window.localStorage.setItem(prefix + key, value)
    return true
  } catch {
    // No storage, or no room in it.
    return false
  }
}
