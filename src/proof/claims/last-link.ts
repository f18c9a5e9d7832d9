/** The links to the next page and the last page → how many pages there are, if their numbers show it. */
import { linksOf } from '../../engine/pagination/link-header.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import type { Envelope } from './envelopes.ts'
import type { FoundNumber } from './envelope-claims.ts'
import { digitsIn, linkQuery } from './link-query.ts'
import { isNameOf } from '../names/paging-names.ts'
import type { ResponsePlace } from './response-place.ts'

/** In the Link header, or among the links of an envelope. Such a count shows something only when it is met: it may be out of date. */
export function lastLinks(
  headers: Readonly<Record<string, string>>,
  envelopes: readonly Envelope[],
  received: number,
): FoundNumber[] {
  const found: FoundNumber[] = []
  const add = (place: ResponsePlace, next: unknown, last: unknown) => {
    const pages = pagesByLinks(next, last, received)
    if (pages !== null) found.push({ counts: 'pages', place, value: pages, plus: 0, isNamed: false })
  }
  const { next, last } = linksOf(headers.link)
  add(['header', 'link', 'last'], next?.url, last?.url)
  for (const { place, members } of envelopes) {
    add([...place, 'last'], addressIn(members.next), addressIn(members.last))
    add([...place, 'last_page_url'], members.next_page_url, members.last_page_url)
    for (const name of ['links', '_links']) {
      const links = members[name]
      if (isList(links)) add([...place, name, 'last'], addressOf(links, 'next'), addressOf(links, 'last'))
    }
  }
  return found
}

/** `https://…`, `{ href: … }`, `{ url: … }` */
function addressIn(link: unknown): unknown {
  return isObject(link) ? (link.href ?? link.url) : link
}

/** `[{ rel: 'last', href: … }]` */
function addressOf(links: readonly unknown[], relation: string): unknown {
  return addressIn(links.find((link) => isObject(link) && link.rel === relation))
}

/**
 * For the first page of a read. `received`: how many records it has.
 *
 * @example pagesByLinks('/a?page=2', '/a?page=34', 30) // 34
 */
export function pagesByLinks(next: unknown, last: unknown, received: number): number | null {
  const second = linkQuery(next)
  const final = linkQuery(last)
  if (second === null || final === null) return null
  for (const [name, value] of second) {
    const from = digitsIn(value)
    const to = digitsIn(final.get(name))
    if (from === null || to === null || to < from) continue
    if (isNameOf('page', name)) return to - from + 2
    if (isNameOf('offset', name) && from === received && to % received === 0) return to / received + 1
  }
  return null
}
