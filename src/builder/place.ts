/** The address bar as state: which connector, which stream, which view. Back and forward work. */
import { useSyncExternalStore } from 'react'

export type View = 'form' | 'yaml'

export type Place = {
  readonly connector: string | null
  /** A stream by name, or one of the settings; null for the first stream. */
  readonly part: string | null
  readonly view: View
}

const listeners = new Set<() => void>()
/** Asked before leaving a connector; says no when something would be lost. */
let mayLeave: () => boolean = () => true

export function usePlace(): Place {
  const url = useSyncExternalStore(subscribe, () => window.location.pathname + window.location.search)
  return placeOf(url)
}

export function goTo(change: Partial<Place>): void {
  const before = placeOf(window.location.pathname + window.location.search)
  const place = { ...before, ...change }
  if (place.connector !== before.connector && !mayLeave()) return
  window.history.pushState(null, '', addressOf(place))
  for (const tell of listeners) tell()
}

export function addressOf({ connector, part, view }: Place): string {
  if (connector === null) return '/'
  const query = new URLSearchParams({ ...(part !== null && { part }), ...(view === 'yaml' && { view }) }).toString()
  return `/connectors/${encodeURIComponent(connector)}${query === '' ? '' : `?${query}`}`
}

/** Until the returned function is called, leaving asks `may` first. */
export function guardLeaving(may: () => boolean): () => void {
  mayLeave = may
  return () => {
    mayLeave = () => true
  }
}

function placeOf(address: string): Place {
  const url = new URL(address, 'http://any')
  const name = /^\/connectors\/([^/]+)$/.exec(url.pathname)?.[1]
  return {
    connector: name === undefined ? null : decodeURIComponent(name),
    part: url.searchParams.get('part'),
    view: url.searchParams.get('view') === 'yaml' ? 'yaml' : 'form',
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('popstate', listener)
  }
}
