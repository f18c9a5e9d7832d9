/** Work with the same key one after the other, in the order in which it was given. */
export type OneAtATime = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function oneAtATime(): OneAtATime {
  const lasts = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const before = lasts.get(key) ?? Promise.resolve()
    const mine = before.catch(() => {}).then(work)
    lasts.set(key, mine)
    try {
      return await mine
    } finally {
      if (lasts.get(key) === mine) lasts.delete(key)
    }
  }
}
