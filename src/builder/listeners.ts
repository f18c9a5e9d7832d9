/** A list of listeners, and how to notify them. */

export type Listeners<News extends readonly unknown[] = []> = {
  /** Until the returned function is called. */
  readonly subscribe: (listener: (...news: News) => void) => () => void
  readonly notify: (...news: News) => void
}

export function openListeners<News extends readonly unknown[] = []>(): Listeners<News> {
  const all = new Set<(...news: News) => void>()
  return {
    subscribe(listener) {
      all.add(listener)
      return () => void all.delete(listener)
    },
    notify(...news) {
      for (const listener of all) listener(...news)
    },
  }
}
