/** State outside of components: changed from anywhere, shown by hooks. */
import { useSyncExternalStore } from 'react'
import { openListeners } from './listeners.ts'

export type Store<Value> = {
  readonly get: () => Value
  readonly set: (next: Value) => void
  /** The current value, in a component. */
  readonly use: () => Value
}

export function createStore<Value>(initial: Value): Store<Value> {
  const { subscribe, notify } = openListeners()
  let value = initial
  const get = () => value
  return {
    get,
    set(next) {
      value = next
      notify()
    },
    use: () => useSyncExternalStore(subscribe, get),
  }
}

/** One value per key, such as the name of a connector. */
export type StoreByKey<Value> = {
  readonly get: (key: string) => Value | undefined
  readonly set: (key: string, next: Value) => void
  readonly delete: (key: string) => void
  /** What `select` takes from the current value, in a component; the same reference while nothing changed. */
  readonly use: <Part>(key: string, select: (value: Value | undefined) => Part) => Part
}

/** @param drawnEveryMs how often components see changes at most; at once without it. */
export function createStoreByKey<Value>(drawnEveryMs?: number): StoreByKey<Value> {
  const { subscribe, notify } = openListeners()
  const values = new Map<string, Value>()
  let drawing: ReturnType<typeof setTimeout> | null = null
  function changed(): void {
    if (drawnEveryMs === undefined) return notify()
    drawing ??= setTimeout(() => {
      drawing = null
      notify()
    }, drawnEveryMs)
  }
  return {
    get: (key) => values.get(key),
    set(key, next) {
      values.set(key, next)
      changed()
    },
    delete(key) {
      values.delete(key)
      changed()
    },
    use: (key, select) => useSyncExternalStore(subscribe, () => select(values.get(key))),
  }
}
