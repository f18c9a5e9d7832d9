/** A token that is fetched once for all requests that wait for it, used until shortly before it expires, then fetched again. */
import { stringifyJson } from '../../std/json.ts'
import { aborted } from '../response/failure.ts'
import type { Secret } from './credentials.ts'

export type KeptToken = {
  readonly value: string
  /** Milliseconds since 1970; minus infinity for a token of the config. */
  readonly obtainedAt: number
  /** It is not used after this time. */
  readonly renewAt: number
}

type FetchToken = () => Promise<KeptToken>

export type TokenKeeper = {
  /** The token, without waiting where it is valid. A cancelled reader stops waiting; the fetch continues for the others. */
  readonly value: (fetch: FetchToken, signal: AbortSignal) => string | Promise<string>
  /** Replaces a refused token, or the current one where it is null; false when a new one would be refused too. */
  readonly renew: (fetch: FetchToken, refused: string | null, signal: AbortSignal) => Promise<boolean>
  /** Whether this is a token of this keeper, current or past. */
  readonly isKnown: (text: string) => boolean
}

/** A token that is refused this soon would be refused again: the account lacks the permission. */
const youngMs = 60_000
/** The same where the manifest requests a new one; requests that failed together need only one. */
const justFetchedMs = 5_000

export function createKeeper(first: KeptToken | null, now: () => number): TokenKeeper {
  let current = first
  let fetching: Promise<string> | null = null
  const known = new Set(first === null ? [] : [first.value])

  const fetchOnce = (fetch: FetchToken): Promise<string> => {
    fetching ??= fetch()
      .then((token) => {
        current = token
        known.add(token.value)
        return token.value
      })
      .finally(() => {
        fetching = null
      })
    return fetching
  }

  return {
    value(fetch, signal) {
      if (current !== null && now() < current.renewAt) return current.value
      return unlessAborted(signal, () => fetchOnce(fetch))
    },
    async renew(fetch, refused, signal) {
      // Another request was refused first and renewed it.
      if (refused !== null && current?.value !== refused) return true
      const age = now() - (current?.obtainedAt ?? Number.NEGATIVE_INFINITY)
      if (age < (refused === null ? justFetchedMs : youngMs)) return false
      // It is not used while the next one is being fetched.
      if (current !== null) current = { ...current, renewAt: Number.NEGATIVE_INFINITY }
      await unlessAborted(signal, () => fetchOnce(fetch))
      return true
    },
    isKnown: (text) => known.has(text),
  }
}

/** What requests are signed with, as this keeper has it. */
export function keptSecret(keeper: TokenKeeper, fetch: FetchToken): Required<Secret> {
  return {
    value: (signal) => keeper.value(fetch, signal),
    isKnown: keeper.isKnown,
    renew: (refused, signal) => keeper.renew(fetch, refused, signal),
  }
}

/** The work continues, and may fail, after the caller stopped waiting. */
export function unlessAborted<T>(signal: AbortSignal, start: () => Promise<T>): Promise<T> {
  if (signal.aborted) return Promise.reject(aborted(signal))
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(aborted(signal))
    signal.addEventListener('abort', stop, { once: true })
    start()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}

/** Equal for plans that mean the same, wherever in the manifest they are. */
export function authIdentity(plan: object): string {
  const text = stringifyJson(without(plan, ['at', 'parameters']))
  // Streams pass parameters to authenticators that do not use them.
  return text.includes('parameters') ? stringifyJson(without(plan, ['at'])) : text
}

function without(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, names))
  if (typeof value !== 'object' || value === null) return value
  if ('toJSON' in value && typeof value.toJSON === 'function') return (value.toJSON as () => unknown)()
  const members = Object.entries(value).filter(([name]) => !names.includes(name))
  return Object.fromEntries(
    members.map(([name, member]) => [name, isAuthors(value, name) ? member : without(member, names)]),
  )
}

/** What the author wrote, with names of the author's: the fields of a custom class, and values that are no templates. */
function isAuthors(holder: object, name: string): boolean {
  return name === 'literal' || (name === 'fields' && 'className' in holder)
}
