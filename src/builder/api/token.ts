/** The token of a server that asks for one: from the address it printed, kept for this tab only. */

const place = 'turnleaf-token'

/** `#token=…` is taken out of the address bar at once: addresses end up in histories and screenshots. */
export function takeTokenFromAddress(): void {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token')
  if (token === null) return
  window.sessionStorage.setItem(place, token)
  window.history.replaceState(null, '', window.location.pathname + window.location.search)
}

export function currentToken(): string | null {
  return window.sessionStorage.getItem(place)
}

export function setToken(token: string): void {
  window.sessionStorage.setItem(place, token)
}
