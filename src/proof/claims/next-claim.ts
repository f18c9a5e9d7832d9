/** One value by its name → whether it says that another page follows, or that none does. */
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { isThing, type Meaning, meaningsOf } from './claim-names.ts'
import type { FoundNext } from './envelope-claims.ts'
import { isNameOf } from '../names/paging-names.ts'
import type { Place } from './response-place.ts'

export function nextOf({ kind }: Meaning, value: unknown, place: Place): FoundNext | null {
  switch (kind) {
    case 'has-more':
    case 'is-last': {
      const flag = flagOf(value)
      if (flag === null) return null
      const more = kind === 'has-more'
      return { place, kind: 'flag', says: flag === more ? 'more' : 'end', isNamed: true, more }
    }
    case 'next':
    case 'previous':
      return nextNamed(value, place)
    default:
      return null
  }
}

/** `isOwn`: the manifest says that this is the next page, so nothing else can be meant. */
export function nextNamed(value: unknown, place: Place, isOwn = false): FoundNext | null {
  const isNamed = !isOwn || isNextName(place)
  if (typeof value === 'boolean') return { place, kind: 'flag', says: value ? 'more' : 'end', isNamed, more: true }
  // `{ href: … }`, `{ url: … }`, `{ after: … }`; but not a thing, such as the next event.
  if (isList(value) || (isObject(value) && isThing(value) && !isOwn)) return null
  const target = isObject(value) ? targetIn(value) : value
  if (target === null || target === '' || Number(target) === 0) return { place, kind: 'token', says: 'end', isNamed }
  // The next payment, the next run: a date is no page.
  if (!isOwn && typeof target === 'string' && /^\d{4}-\d\d-\d\d/.test(target)) return null
  return { place, kind: isLink(target) ? 'link' : 'token', says: 'more', isNamed }
}

/** `{ href: … }`, `{ after: … }`, `{ params: { limit: 100, cursor: … } }` → what leads to the next page; null where nothing does. */
function targetIn(members: Members, depth = 0): unknown {
  const link = members.href ?? members.url ?? members.uri
  if (link !== undefined) return link
  const names = Object.keys(members)
  const name = names.find((one) => isNameOf('cursor', one) && !isNameOf('size', one)) ?? names[0]
  const found = name === undefined ? null : members[name]
  // Some APIs keep the holder on their last page and drop what it held.
  return isObject(found) && depth < deepest ? targetIn(found, depth + 1) : (found ?? null)
}

const deepest = 3

/** `links.next`, `_links.next.href`, `paging.next.after` */
function isNextName([, ...names]: Place): boolean {
  return names.slice(-2).some((name) => name === 'next' || meaningsOf(name).some(({ kind }) => kind === 'next'))
}

export function nextAmong(links: readonly unknown[], place: Place): FoundNext[] {
  const next = links.find((link) => isObject(link) && link.rel === 'next')
  const found = isObject(next) ? nextNamed(next, [...place, 'next']) : null
  return found === null ? [] : [found]
}

function isLink(target: unknown): boolean {
  return typeof target === 'string' && /^(https?:|[/?])/i.test(target)
}

export function flagOf(value: unknown): boolean | null {
  if (value === true || value === 'true') return true
  return value === false || value === 'false' ? false : null
}
