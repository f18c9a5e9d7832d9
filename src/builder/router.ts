/** The address bar as state: which connector, which stream, which view. Back and forward work. */
import { type MouseEvent, useSyncExternalStore } from 'react'
import { openListeners } from './listeners.ts'
import { percentDecode } from '../std/text/percent-decode.ts'

export type View = 'form' | 'yaml'

export type AppRoute = {
  readonly connector: string | null
  /** A stream by name, or one of the settings; null for the first stream. */
  readonly part: string | null
  readonly view: View
  /** The address is none of the app's. */
  readonly isUnknown?: boolean
}

const { subscribe, notify } = openListeners()
/** Asked before leaving a connector; says no when something would be lost. */
let mayLeave: (to: AppRoute) => boolean = () => true
/** The address that is shown. While leaving is being asked about, the one of the browser may be ahead of it. */
let shown = currentAddress()

export function useRoute(): AppRoute {
  return routeOf(useSyncExternalStore(subscribe, () => shown))
}

/** The route that is shown, outside of components. */
export function currentRoute(): AppRoute {
  return routeOf(shown)
}

export function goTo(change: Partial<AppRoute>): void {
  const before = routeOf(shown)
  const place = { ...before, ...change }
  if (place.connector !== before.connector && !mayLeave(place)) return
  const address = routePath(place)
  if (address !== shown) window.history.pushState(null, '', address)
  show(address)
}

/** For links, which can also be opened in a tab of their own: those clicks are the browser's. */
export function followLink(event: MouseEvent, change: Partial<AppRoute>): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
  event.preventDefault()
  goTo(change)
}

export function routePath({ connector, part, view }: AppRoute): string {
  if (connector === null) return '/'
  const query = new URLSearchParams({ ...(part !== null && { part }), ...(view === 'yaml' && { view }) }).toString()
  return `/connectors/${encodeURIComponent(connector)}${query === '' ? '' : `?${query}`}`
}

/** Until the returned function is called, leaving asks `may` first; if it says no, it may navigate later. */
export function guardLeaving(may: (to: AppRoute) => boolean): () => void {
  mayLeave = may
  return () => {
    mayLeave = () => true
  }
}

function routeOf(address: string): AppRoute {
  const url = new URL(address, 'http://any')
  const name = /^\/connectors\/([^/]+)$/.exec(url.pathname)?.[1]
  return {
    // An address that cannot be decoded names a connector that is not found, rather than no page.
    connector: name === undefined ? null : percentDecode(name),
    part: url.searchParams.get('part'),
    view: url.searchParams.get('view') === 'yaml' ? 'yaml' : 'form',
    isUnknown: name === undefined && url.pathname !== '/',
  }
}

function currentAddress(): string {
  return window.location.pathname + window.location.search
}

function show(address: string): void {
  shown = address
  notify()
}

window.addEventListener('popstate', () => {
  const [before, to] = [routeOf(shown), routeOf(currentAddress())]
  if (to.connector === before.connector || mayLeave(to)) show(currentAddress())
  // The browser went already: back to where we are.
  else window.history.pushState(null, '', shown)
})
