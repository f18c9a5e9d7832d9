/** Paths that a cursor reads and no page has → a warning that names what the pages have instead. */
import { isUrl } from '../../std/text/is-url.ts'
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { nearMiss } from '../../std/text/near-miss.ts'
import type { PaginationPlan } from '../plan/pagination.ts'
import type { Scope } from '../template/template.ts'
import { placesReadBy, type PlaceRead, spelt } from '../template/syntax/places-read.ts'
import { AttributedDict, HeaderDict } from '../template/host.ts'

type CursorPlan = Extract<PaginationPlan, { kind: 'cursor' }>

/** A place that the templates read, whether a page had it, and else the place near to it that a page has. */
type Watched = { readonly place: PlaceRead; readonly readBy: string; isSettled: boolean; near: PlaceRead | null }

/** Kept over all slices of a stream: a slice of one page may lack what the others have. */
const watchedOf = new WeakMap<CursorPlan, readonly Watched[]>()

/** How a slice ended with this page: not yet, or where there was no cursor on a page with as many records as were requested. */
type SeenEnd = 'not-yet' | 'ended' | 'full-page'

/**
 * Checks one page; at the end of a slice, `warn` is given each place that no page had, if the pages have one that is
 * spelt nearly alike. Without such a name only a full page is worth a warning: many APIs leave the next link out where
 * there is no next page.
 */
export function warnMissingPaths(plan: CursorPlan, scope: Scope, end: SeenEnd, warn: (text: string) => void): void {
  const watched = watchedOf.get(plan) ?? placesOf(plan)
  watchedOf.set(plan, watched)
  for (const one of watched) {
    if (one.isSettled) continue
    const found = lookFor(one.place, scope)
    if (found === 'found') one.isSettled = true
    else one.near ??= found
    if (one.isSettled || one.near === null || end === 'not-yet') continue
    one.isSettled = true
    warn(`No page has \`${spelt(one.place)}\`, which the ${one.readBy} reads. Did you mean \`${spelt(one.near)}\`?`)
  }
  if (end === 'full-page') noticeUnread(watched, scope, warn)
}

/** One place that was found is enough: `response.next or response.paging.next`. */
function noticeUnread(watched: readonly Watched[], scope: Scope, warn: (text: string) => void): void {
  const read = watched.filter(({ readBy }) => readBy === cursorValue)
  const [first] = read
  if (first === undefined || read.some(({ isSettled }) => isSettled)) return
  for (const one of read) one.isSettled = true
  warn(
    `No page has \`${spelt(first.place)}\`, which the cursor value reads, and the read ended with a full page of ${String(scope.last_page_size)} records: more may follow. \`npx turnleaf diagnose\` searches for the cursor.`,
  )
}

/** By the page size that the paginator sends, or by a parameter that is named for it. */
export function isFullPage(
  { size }: CursorPlan,
  page: { readonly url: string; readonly receivedCount: number },
): boolean {
  const asked = size === null ? sizeIn(page.url) : Number(size.value)
  return asked > 0 && page.receivedCount >= asked
}

const sizeName =
  /^(\$|_|page\[)?(limit|per[_-]?page|(max[_-]?)?page[_-]?size|size|count|max[_-]?(results|items|records)|top|take|rows|first)\]?$/i

/** 0 where the address does not say. */
function sizeIn(url: string): number {
  if (!isUrl(url)) return 0
  const sizes = [...new URL(url).searchParams].filter(([name, value]) => sizeName.test(name) && /^\d+$/.test(value))
  return sizes.length === 1 ? Number(sizes[0]?.[1]) : 0
}

const cursorValue = 'cursor value'
const roots = new Set(['response', 'headers', 'last_record', 'last_records'])

function placesOf({ value, stopWhen }: CursorPlan): Watched[] {
  const read = [
    ...placesReadBy(value.source).map((place) => ({ place, readBy: cursorValue })),
    ...(stopWhen === null ? [] : placesReadBy(stopWhen.source).map((place) => ({ place, readBy: 'stop condition' }))),
  ]
  const unique = new Map(read.map((one) => [JSON.stringify(one.place), { ...one, isSettled: false, near: null }]))
  return [...unique.values()].filter(({ place: [root = '', ...names] }) => roots.has(root) && names.length > 0)
}

/** The place itself, or one that differs from it in the first name that is missing; null where there is none. */
function lookFor(place: PlaceRead, scope: Scope): 'found' | PlaceRead | null {
  const [root = '', ...names] = place
  let holder: unknown = scope[root]
  for (const [index, name] of names.entries()) {
    const before = place.slice(0, index + 1)
    const next = memberOf(holder, name)
    if (next === undefined) {
      const near = nearName(name, membersOf(holder), index === names.length - 1)
      return near === undefined ? null : [...before, near, ...names.slice(index + 1)]
    }
    holder = next
  }
  return 'found'
}

function membersOf(holder: unknown): Members {
  if (holder instanceof HeaderDict) return sentHeaders(holder)
  if (holder instanceof AttributedDict) return holder.entries
  return isObject(holder) ? holder : {}
}

/** The parsed Link header is there for templates whether or not one was sent. */
function sentHeaders({ entries }: HeaderDict): Members {
  const { link, ...sent } = entries
  return isObject(link) && Object.keys(link).length > 0 ? entries : sent
}

function memberOf(holder: unknown, name: string): unknown {
  if (isList(holder)) return /^-?\d+$/.test(name) ? holder.at(Number(name)) : undefined
  const members = membersOf(holder)
  const key = holder instanceof HeaderDict ? holder.keyOf(name) : name
  return key !== null && Object.hasOwn(members, key) ? members[key] : undefined
}

/**
 * A name that is there and spelt nearly alike. Words that differ in more than their spelling do not count: another first
 * letter, another letter in a short word (`more`, `mode`), a plural (`page`, `pages`), an object in place of a value.
 */
function nearName(name: string, members: Members, isLast: boolean): string | undefined {
  const candidates = Object.keys(members).filter((candidate) => {
    const hasMembers = isObject(members[candidate]) || isList(members[candidate])
    if (isLast === hasMembers) return false
    const [one, other] = [letters(name), letters(candidate)]
    if (one === other) return true
    if (one[0] !== other[0] || (isLast && (`${one}s` === other || `${other}s` === one))) return false
    return one.length > 4 || one.length !== other.length || sorted(one) === sorted(other)
  })
  return candidates.find((candidate) => letters(candidate) === letters(name)) ?? nearMiss(name, candidates)
}

/** Without case and separators: `next_page` and `nextPage` are one name in two styles. */
function letters(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function sorted(word: string): string {
  return word.split('').toSorted().join('')
}
