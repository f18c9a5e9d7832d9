/** One page → everything on it that may lead to the next page, the most likely first. Probes decide. */
import { isUrl } from '../../std/text/is-url.ts'
import { linksOf } from '../../engine/pagination/link-header.ts'
import { valueAt } from '../../std/values/get-at.ts'
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { wordsOf } from '../names/name-style.ts'
import { isSamePath, leavesOutsideList } from './leaves.ts'
import { type SlotValue, inQuery, type Put } from './probe-request.ts'

export type Pointer = {
  readonly kind: 'link-header' | 'next-url' | 'token'
  readonly from: 'body' | 'header'
  /** Names that lead to it; of a header, the header's. */
  readonly path: readonly string[]
  /** A URL or a token; null where the place exists and says that nothing follows. */
  readonly value: SlotValue | null
  readonly score: number
  /** In a list of links with relations: the member that holds the URL. */
  readonly inList?: 'href' | 'url'
  /** It is next to the last record: `edges: [{ cursor: …, node: … }]`. */
  readonly isOfLast?: true
}

const longestToken = 4_000

/** `listPath`: where the records are. */
export function pointersIn(
  body: unknown,
  headers: Readonly<Record<string, string>>,
  listPath: readonly string[],
  url: string,
): Pointer[] {
  const found = leavesOutsideList(body, listPath).flatMap(({ value, path }) =>
    isList(value) ? amongLinks(value, path, url) : (inBody(value, path, url) ?? []),
  )
  return [...inHeaders(headers, url), ...found, ...ofLastEdge(body, listPath)].toSorted(
    (one, other) => other.score - one.score,
  )
}

export function isSamePointer(one: Pointer, other: Pointer): boolean {
  return one.from === other.from && isSamePath(one.path, other.path)
}

/** Its place, as people read it: `meta.next_cursor`, `header x-next-cursor`. */
export function pointerName({ from, path }: Pointer): string {
  return from === 'header' ? `header ${path.join(' ')}` : path.join('.')
}

/** Every URL outside of the records, with its path. */
export function addressesIn(
  body: unknown,
  listPath: readonly string[],
  url: string,
): { readonly path: readonly string[]; readonly address: string }[] {
  return leavesOutsideList(body, listPath).flatMap(({ path, value }) =>
    typeof value === 'string' && isAddress(value, url) ? [{ path, address: value }] : [],
  )
}

/** Below `pageInfo.endCursor`, which is the same. */
const scoreOfEdge = 4

function* ofLastEdge(body: unknown, listPath: readonly string[]): Generator<Pointer> {
  const at = listPath.indexOf('*')
  if (at === -1) return
  const path = listPath.slice(0, at)
  const edges = valueAt(body, path)
  const last: unknown = isList(edges) ? edges.at(-1) : undefined
  const value = isObject(last) ? last.cursor : undefined
  if (typeof value !== 'string' || value === '' || value.length >= longestToken) return
  yield { kind: 'token', from: 'body', path: [...path, 'cursor'], value, score: scoreOfEdge, isOfLast: true }
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
  // What a request costs, and how much of that is left after it.
  if (has('complexity', 'cost', 'quota', 'ratelimit', 'throttle')) return -1
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

/** One page → objects on it whose members all go back as parameters to ask for the next one: `continue: {a: …, b: …}`. */
export type TokenObject = {
  readonly path: readonly string[]
  readonly members: Readonly<Record<string, SlotValue>>
}

const deepest = 4
const mostMembers = 12

export function tokenObjectsIn(body: unknown, listPath: readonly string[]): TokenObject[] {
  const found: TokenObject[] = []
  const visit = (value: unknown, path: readonly string[]) => {
    if (!isObject(value) || isList(value) || path.length > deepest || isSamePath(path, listPath)) return
    const members = path.length > 0 && isOfNext(path.at(-1) ?? '') ? tokensOf(value) : null
    if (members !== null) found.push({ path, members })
    else for (const name of Object.keys(value).slice(0, 100)) visit(value[name], [...path, name])
  }
  visit(body, [])
  return found
}

export function putsOf({ members }: TokenObject): Put[] {
  return Object.entries(members).map(([name, value]) => ({ slot: inQuery(name), value }))
}

/** `continue`, `query-continue`, `next`, `nextPageParams`, and no `next_run`. */
function isOfNext(name: string): boolean {
  const words = wordsOf(name)
  if (words.some((word) => /^(run|payment|event|billing|invoice|reset|sync|prev|previous)$/.test(word))) return false
  return words.some((word) => /^(next|continue|continuation|following)$/.test(word))
}

/** A single token is found by its own name. */
function tokensOf(value: Members): Readonly<Record<string, SlotValue>> | null {
  const entries = Object.entries(value)
  const isToken = (one: unknown): one is SlotValue =>
    typeof one === 'number' ||
    typeof one === 'bigint' ||
    (typeof one === 'string' && !/^(https?:\/\/|\/|\?)\S+$/i.test(one))
  if (entries.length < 2 || entries.length > mostMembers) return null
  const tokens = entries.filter((entry): entry is [string, SlotValue] => isToken(entry[1]))
  return tokens.length === entries.length ? Object.fromEntries(tokens) : null
}
