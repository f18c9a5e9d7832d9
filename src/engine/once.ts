/** What is asked for once and shared; a failure is forgotten, so that the next to ask may have more luck. */
export function once<T>(load: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
  let loading: Promise<T> | null = null
  return (signal) => {
    loading ??= load(signal).catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }
}
