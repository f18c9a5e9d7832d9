/** Whether a text is an address, alone or against a base, and the origin of one. */

/**
 * In place of `URL.canParse`: once that is called often, Node 20 refuses addresses with letters such as `ä`, and links with them
 * would pass for foreign.
 */
export function isUrl(text: string, base?: string): boolean {
  try {
    return new URL(text, base).href !== ''
  } catch {
    return false
  }
}

/** Scheme, host and port as most addresses spell them, up to the path: nothing after it changes the origin. */
const plainStart = /^https?:\/\/[a-z0-9.-]+(?::\d+)?(?=\/)/

/** Few: a read has one or two. */
const known = new Map<string, string>()
const mostKnown = 100

/** The origin of an address, or the text itself where it is none. Remembers those it parsed: each page asks several times. */
export function originOf(url: string): string {
  const start = plainStart.exec(url)?.[0]
  const remembered = start === undefined ? undefined : known.get(start)
  if (remembered !== undefined) return remembered
  if (!isUrl(url)) return url
  const { origin } = new URL(url)
  if (start !== undefined && known.size < mostKnown) known.set(start, origin)
  return origin
}
