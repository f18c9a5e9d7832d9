/** One page → everything on it that may lead to the next one, the most likely first. Only following it tells. */
import { isUrl } from '../../is-url.ts'
import { linksOf } from '../../engine/pagination/headers.ts'
import { isList, isObject } from '../../members.ts'
import { wordsOf } from '../name-words.ts'
import { isSamePath, leavesBeside } from './leaves.ts'
import type { Value } from './question.ts'

export type Pointer = {
  readonly kind: 'link-header' | 'next-url' | 'token'
  readonly from: 'body' | 'header'
  /** Names that lead to it; of a header, the header's. */
  readonly path: readonly string[]
  /** An address or a token; null where the place is there and says that nothing follows. */
  readonly value: Value | null
  readonly score: number
  /** Where it stands in a list of links, each with its relation: the member that holds the address. */
  readonly inList?: 'href' | 'url'
}

const longestToken = 4_000

/** `listPath`: where the records are. */
export function pointersIn(
  body: unknown,
  headers: Readonly<Record<string, string>>,
  listPath: readonly string[],
  url: string,
): Pointer[] {
  const found = leavesBeside(body, listPath).flatMap(({ value, path }) =>
    isList(value) ? amongLinks(value, path, url) : (inBody(value, path, url) ?? []),
  )
  return [...inHeaders(headers, url), ...found].toSorted((one, other) => other.score - one.score)
}

export function isSamePointer(one: Pointer, other: Pointer): boolean {
  return one.from === other.from && isSamePath(one.path, other.path)
}

/** Where it stands, as people read it: `meta.next_cursor`, `header x-next-cursor`. */
export function pointerName({ from, path }: Pointer): string {
  return from === 'header' ? `header ${path.join(' ')}` : path.join('.')
}

/** Every address beside the records, with the names that lead to it. */
export function addressesIn(
  body: unknown,
  listPath: readonly string[],
  url: string,
): { readonly path: readonly string[]; readonly address: string }[] {
  return leavesBeside(body, listPath).flatMap(({ path, value }) =>
    typeof value === 'string' && isAddress(value, url) ? [{ path, address: value }] : [],
  )
}

/** `links: [{ rel: 'next', href: … }]` */
function amongLinks(links: readonly unknown[], path: readonly string[], url: string): Pointer[] {
  const next = links.find((link) => isObject(link) && link.rel === 'next')
  if (!isObject(next)) return []
  const inList = typeof next.href === 'string' ? 'href' : 'url'
  const address = next[inList]
  if (typeof address !== 'string' || !isUrl(address, url)) return []
  const value = new URL(address, url).href
  return [{ kind: 'next-url', from: 'body', path: [...path, 'next'], value, score: 20, inList }]
}

function* inHeaders(headers: Readonly<Record<string, string>>, url: string): Generator<Pointer> {
  const next = linksOf(headers.link).next?.url
  if (next !== undefined && isUrl(next, url)) {
    yield { kind: 'link-header', from: 'header', path: ['link'], value: new URL(next, url).href, score: 30 }
  }
  for (const [name, value] of Object.entries(headers)) {
    if (ofProtocol.test(name)) continue
    const score = nameScore([name])
    if (score < 3) continue
    const text = value.trim()
    if (isAddress(text, url) && score >= 5) {
      yield { kind: 'next-url', from: 'header', path: [name], value: new URL(text, url).href, score: score + 8 }
    } else if (!isDate(text) && text.length < longestToken) {
      yield { kind: 'token', from: 'header', path: [name], value: text === '' ? null : text, score: score + 1 }
    }
  }
}

const ofProtocol =
  /^(link|set-cookie|etag|date|age|vary|server|via|content-.*|cache-.*|access-control-.*|x-request-.*|retry-after|x-ratelimit.*|ratelimit.*)$/i

function inBody(value: unknown, path: readonly string[], url: string): Pointer | null {
  const score = nameScore(path)
  if (value === null || value === '') {
    return score < 5 ? null : { kind: 'token', from: 'body', path, value: null, score }
  }
  if (typeof value === 'string' && isAddress(value, url)) {
    // A link to anything else would differ in its path, and `self` or `prev` by their names.
    const isNext = score >= 5
    if (!isNext && (score < 0 || !leadsToSamePath(value, url))) return null
    return {
      kind: 'next-url',
      from: 'body',
      path,
      value: new URL(value, url).href,
      score: isNext ? score + 8 : 2,
    }
  }
  if (score < 3) return null
  const isToken =
    (typeof value === 'string' && !isDate(value) && value.length < longestToken && !/\s/.test(value)) ||
    (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) ||
    typeof value === 'bigint'
  return isToken ? { kind: 'token', from: 'body', path, value: value, score } : null
}

/** 5 or more: it says that it is the next. 3: it may be. Below 0: it says that it is another. */
function nameScore(path: readonly string[]): number {
  const words = path.flatMap(wordsOf)
  const last = wordsOf(path.at(-1) ?? '')
  const has = (...some: string[]) => some.some((word) => words.includes(word))
  const isMarker = has(...markers)
  if (has('next', 'following') || words.some((word) => /^next(page|link|url|cursor|token)/.test(word))) {
    // The next payment, the next run: things have next ones too.
    if (has('date', 'time', 'payment', 'run', 'at', 'due', 'billing', 'event', 'sync', 'reset', 'invoice')) return -1
    if (has('prev', 'previous')) return -1
    return 5 + (isMarker || has('page', 'link', 'links', 'url') ? 2 : 0)
  }
  if (has('prev', 'previous', 'before', 'first', 'self', 'current', 'begin')) return -1
  if (has('end') && has('cursor')) return 6
  if (has('start') && has('cursor')) return -1
  if (has('last')) return isMarker && (has('id', 'evaluated') || has('key')) ? 4 : -1
  if (words.some((word) => /^(after|continuation(token)?|scroll(id)?|bookmark|marker)$/.test(word))) return 5
  if (last.includes('cursor')) return 4
  if (last.includes('token') && has('page', 'paging', 'pagination')) return 5
  if (last.includes('offset') && typeof path.at(-1) === 'string') return 3
  return 0
}

const markers =
  'cursor cursors token marker continuation scroll after bookmark offset start position resume key id'.split(' ')

function isAddress(text: string, url: string): boolean {
  return /^(https?:\/\/|\/|\?)\S+$/i.test(text) && isUrl(text, url)
}

function leadsToSamePath(text: string, url: string): boolean {
  const [one, other] = [new URL(text, url), new URL(url)]
  return one.pathname === other.pathname && one.search !== other.search
}

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d([T ]|$)/.test(text)
}
