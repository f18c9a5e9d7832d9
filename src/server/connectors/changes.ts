/** Whoever wants to know what becomes of connectors, told by whoever changes one or finds it changed. */
import { ConnectorError } from '../../std/errors.ts'
import type { ConnectorEvent } from '../wire/connector.ts'
import type { Watch } from './poll-changes.ts'

export type Listener = (event: ConnectorEvent) => void

export type Changes = {
  /** Told once, however often it is said. @param version null where the connector is gone. */
  tell(name: string, version: string | null): void
  /** Fulfilled, with the way to stop, once no change is missed. */
  listen(listener: Listener): Promise<() => void>
}

/** A tab has one. More of them are something else. */
const mostListeners = 64

/**
 * @param watch begins with the first listener, and ends when the last one has left.
 */
export function openChanges(watch: () => Watch): Changes {
  const listeners = new Set<Listener>()
  const told = new Map<string, string | null>()
  let watching: Watch | null = null

  return {
    tell(name, version) {
      if (told.get(name) === version) return
      // With nobody to tell it to, there is nothing to remember.
      if (listeners.size > 0) told.set(name, version)
      for (const listener of listeners) listener({ kind: 'connector', name, version })
    },

    async listen(listener) {
      if (listeners.size >= mostListeners) {
        throw new ConnectorError('server/busy', `${mostListeners} listen to changes already.`, {
          hint: 'Close some tabs of the builder.',
        })
      }
      const one: Listener = (event) => listener(event)
      listeners.add(one)
      watching ??= watch()
      await watching.ready
      return () => {
        if (!listeners.delete(one) || listeners.size > 0) return
        watching?.end()
        watching = null
        told.clear()
      }
    },
  }
}
