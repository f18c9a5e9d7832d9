/** Whether two addresses belong to one origin, so that credentials of the first may go to the second. */
import { isUrl } from '../../is-url.ts'

/**
 * Scheme, host and port are equal; or the host is and http became https, both on their default ports.
 *
 * @example sameOrigin('http://api.shop/v1', 'https://api.shop/v2') // true
 */
export function sameOrigin(home: string, target: string): boolean {
  // Nearly every page: the addresses are equal up to the path.
  const path = home.indexOf('/', 'https://'.length)
  if (path !== -1 && /^https?:/.test(home) && target.startsWith(home.slice(0, path + 1))) return true
  if (!isUrl(home) || !isUrl(target)) return false
  const from = new URL(home)
  const to = new URL(target)
  // The origin of any scheme but http and https is the text "null", equal for all of them.
  if (from.origin === to.origin) return from.origin !== 'null'
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === ''
  return isUpgrade && from.hostname === to.hostname
}
