/** What the reads of one config share: the tokens fetched so far, and what fetching them changed in the config. */
import { expectListeners } from '../response/until-aborted.ts'
import type { Redactor } from '../secrets/redact.ts'
import { isObject } from '../../std/values/objects.ts'
import type { Config } from '../plan/plan.ts'

export type Tokens = {
  /** The one of this name, made on first use. */
  readonly once: <T>(name: string, make: () => T) => T
  /** What was written into the config since the start, in order. */
  readonly changes: ConfigChange[]
  /** Hides a secret in all that is shown, by every read that shares these tokens. */
  readonly hide: (secret: string) => void
  /** The same for one that serves a single request: later ones take its place. */
  readonly hideShortly: (secret: string) => void
  readonly attach: (redactor: Redactor) => void
  /** Work that `close` waits for: a token that is on its way must not get lost. */
  readonly underWay: <T>(work: Promise<T>) => Promise<T>
  /** Aborts when tokens are no longer needed. */
  readonly closing: AbortSignal
  /** To be called before the network is closed. */
  readonly close: () => Promise<void>
}

/** How many secrets of single requests are remembered: as many as pages that may still be shown. */
const shortLived = 64

/** @example const tokens = openTokens(); readPages(manifest, { stream: 'orders', tokens }) */
export function openTokens(): Tokens {
  const kept = new Map<string, unknown>()
  const secrets = new Set<string>()
  const passing = new Set<string>()
  const redactors = new Set<Redactor>()
  const working = new Set<Promise<unknown>>()
  const closing = new AbortController()
  // One listener per request for a token is no leak.
  expectListeners(closing.signal)

  const hide = (secret: string) => {
    secrets.add(secret)
    for (const redactor of redactors) redactor.add(secret)
  }
  return {
    once<T>(name: string, make: () => T): T {
      if (!kept.has(name)) kept.set(name, make())
      return kept.get(name) as T
    },
    changes: [],
    hide,
    hideShortly(secret) {
      if (secrets.has(secret)) return
      hide(secret)
      passing.add(secret)
      const [oldest] = passing
      if (passing.size <= shortLived || oldest === undefined) return
      passing.delete(oldest)
      secrets.delete(oldest)
      for (const redactor of redactors) redactor.forget(oldest)
    },
    attach(redactor) {
      redactors.add(redactor)
      for (const secret of secrets) redactor.add(secret)
    },
    underWay<T>(work: Promise<T>): Promise<T> {
      working.add(work)
      const forget = () => working.delete(work)
      work.then(forget, forget)
      return work
    },
    closing: closing.signal,
    async close() {
      closing.abort()
      await Promise.allSettled(working)
    },
  }
}

export type ConfigChange = { readonly path: readonly string[]; readonly value: string }

/** A copy with every change made; objects on the way that are missing are added. */
export function changedConfig(config: Config, changes: readonly ConfigChange[]): Config {
  return changes.reduce<Config>((changed, { path, value }) => withValue(changed, path, value) as Config, config)
}

function withValue(holder: unknown, [name, ...rest]: readonly string[], value: string): unknown {
  if (name === undefined) return value
  if (Array.isArray(holder) && /^\d+$/.test(name))
    return holder.with(Number(name), withValue(holder[Number(name)], rest, value))
  const members = isObject(holder) ? Object.entries(holder) : []
  const changed = new Map<string, unknown>(members)
  return Object.fromEntries(changed.set(name, withValue(changed.get(name), rest, value)))
}
