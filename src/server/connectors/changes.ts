/** Listeners to changes of connectors, and what informs them. */
import { ConnectorError } from '../../std/errors.ts'
import type { ConnectorEvent } from '../wire/connector.ts'
import type { Watch } from './poll-changes.ts'

export type ChangeListener = (event: ConnectorEvent) => void

export type Changes = {
  /** Each version is announced once. @param version null where the connector was deleted or got another name. */
  announce(name: string, version: string | null, renamedTo?: string): void
  /** Resolves to a function that stops listening, once no change is missed. */
  listen(listener: ChangeListener): Promise<() => void>
}

/** Each tab of the builder has one. */
const mostListeners = 64

/**
 * @param watch started with the first listener, and ended after the last.
 */
export function openChanges(watch: () => Watch): Changes {
  const listeners = new Set<ChangeListener>()
  const announced = new Map<string, string | null>()
  let watching: Watch | null = null

  return {
    announce(name, version, renamedTo) {
      if (announced.get(name) === version) return
      if (listeners.size > 0) announced.set(name, version)
      for (const listener of listeners) {
        listener({ kind: 'connector', name, version, ...(renamedTo !== undefined && { renamedTo }) })
      }
    },

    async listen(listener) {
      if (listeners.size >= mostListeners) {
        throw new ConnectorError('server/busy', `There are already ${mostListeners} listeners to changes.`, {
          hint: 'Close some tabs of the builder.',
        })
      }
      const one: ChangeListener = (event) => listener(event)
      listeners.add(one)
      watching ??= watch()
      await watching.ready
      return () => {
        if (!listeners.delete(one) || listeners.size > 0) return
        watching?.end()
        watching = null
        announced.clear()
      }
    },
  }
}
