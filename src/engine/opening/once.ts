/** What is loaded once and shared by all callers. */

/**
 * A failure is forgotten: the next caller tries again. A caller that waits on a load that another one cancelled
 * loads it anew.
 */
export function once<T>(load: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
  type Loading = { readonly loaded: Promise<T>; readonly signal: AbortSignal }
  let shared: Loading | null = null

  return async function get(signal): Promise<T> {
    const loading: Loading = shared ?? { loaded: load(signal), signal }
    shared = loading
    try {
      return await loading.loaded
    } catch (error) {
      if (shared === loading) shared = null
      if (loading.signal.aborted && !signal.aborted) return get(signal)
      throw error
    }
  }
}
