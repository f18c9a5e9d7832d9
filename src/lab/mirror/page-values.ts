/** What a member of a body, or a header, may hold to make the engine go on or end: candidates, the likeliest first. */
import { absent } from './place.ts'

/** Which page is answered, whether another follows, its number and its address. */
export type Following = {
  readonly goesOn: boolean
  readonly page: number
  readonly next: number
  readonly link: string
}

/** Marks the token of a page, wherever a request carries it. */
export function pageMark(page: number): string {
  return `leaf-${page}-mark`
}

/** For a rule about errors: nothing, or what it compares with. */
export function quiet(constants: readonly unknown[]): unknown[] {
  return [absent, ...constants, null, '', 0, 1, true, false, 200, 'ok', 'success', [], {}]
}

export function turning(
  constants: readonly unknown[],
  { goesOn, page, next, link }: Following,
  isLink: boolean,
): unknown[] {
  if (!goesOn) return [null, absent, '', false, true, 0, page, 1, ...constants, [], {}, 3, 1000]
  const texts = constants.filter((value) => typeof value === 'string')
  const names = texts.flatMap((text) =>
    [...text.matchAll(/([\w$\\[\]-]+)=/g)].map(([, name = '']) => name.replaceAll('\\', '')),
  )
  const links = [
    link,
    ...names.flatMap((name) => [pageMark(next), String(next)].map((value) => withQuery(link, name, value))),
  ]
  const first = isLink ? [...links, pageMark(next)] : [pageMark(next), ...links]
  const wrapped = [{ href: link }, [{ rel: 'next', href: link, url: link }]]
  return [...first, true, false, next, page, 3, 1, 1000, ...constants, ...wrapped, absent, null]
}

/** The name as it is: templates look for `$skip`, not for `%24skip`. */
function withQuery(link: string, name: string, value: string): string {
  const url = new URL(link)
  url.searchParams.delete(name)
  return `${url.origin}${url.pathname}?${name}=${value}&${url.searchParams.toString()}`
}

export function headerValues(name: string, { goesOn, page, next, link }: Following): unknown[] {
  if (name === 'link') return goesOn ? [`<${link}>; rel="next"`] : [`<${link}>; rel="prev"`, absent]
  if (!goesOn) return [absent, '', 'false', '0', '1', String(page)]
  return [pageMark(next), link, String(next), 'true', '3', '1000', absent]
}
