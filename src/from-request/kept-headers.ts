/** Headers of a command → those that are about the API. A browser adds the others to every request of its own. */
import type { Pair } from './given-request.ts'

const ofTheBrowser =
  /^(:|sec-|accept-(encoding|language|charset)$|connection$|host$|content-length$|origin$|referer$|dnt$|pragma$|cache-control$|upgrade-insecure-requests$|priority$|te$|if-(none-match|modified-since)$|x-client-data$|x-requested-with$)/i

export function keptHeaders(headers: readonly Pair[], hasTypedBody: boolean): readonly Pair[] {
  return headers.filter(([name, value]) => {
    if (ofTheBrowser.test(name)) return false
    if (/^user-agent$/i.test(name)) return !/^(Mozilla|curl)\//.test(value)
    if (/^accept$/i.test(name)) return !value.includes('*/*')
    // JSON and forms say so themselves.
    return !(hasTypedBody && /^content-type$/i.test(name))
  })
}
