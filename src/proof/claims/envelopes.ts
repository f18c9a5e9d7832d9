/** A decoded body → its envelopes: the objects around and next to the records that may hold claims. */
import { isList, isObject, type Members } from '../../std/values/objects.ts'
import { isEnvelope, isLooseEnvelope, isThing, speaksOfPages } from '../names/claim-names.ts'
import type { ResponsePlace } from './response-place.ts'

export type Envelope = {
  readonly place: ResponsePlace
  readonly members: Members
  /** May be a thing itself, such as the invoice around its lines: only names that are clear count. */
  readonly mayBeThing: boolean
  /** Holds other lists too, which its numbers may count. */
  readonly hasOtherLists: boolean
}

/** An object with more members is a map of records, whatever it is called. */
const mostMembers = 100

/** More than any API needs. */
const mostEnvelopes = 50

/** How deep envelopes are nested: `meta.pagination.total`, `_links.next.href`. */
const deepest = 2

/**
 * The objects around the records, and those next to them that are about pages. Records themselves are never
 * searched: their fields may have any name. `recordPath` is null where a custom class finds the records.
 */
export function envelopesIn(body: unknown, recordPath: readonly string[] | null, isListMissing = false): Envelope[] {
  const found: Envelope[] = []
  const isWhole = recordPath?.length === 0
  // The body is the record, or holds nothing but records; unless it is plainly an envelope around one list.
  if (isWhole && !(isObject(body) && !isThing(body) && listsIn(body).length === 1)) return found
  const visit = (value: unknown, place: ResponsePlace, depth: number, inner: string | undefined) => {
    if (found.length >= mostEnvelopes || !isObject(value) || Object.keys(value).length > mostMembers) return
    const isLoose = depth > 0 && isLooseEnvelope(place.at(-1) ?? '') && !speaksOfPages(value)
    // Where the list is not there, another one may be it under another name.
    const hasOtherLists = !isWhole && !isListMissing && listsIn(value, inner).length > 0
    found.push({ place, members: value, mayBeThing: isLoose || isThing(value), hasOtherLists })
    if (depth >= deepest) return
    for (const name of Object.keys(value)) {
      if (name !== inner && isEnvelope(name)) visit(value[name], [...place, name], depth + 1, undefined)
    }
  }
  let around: unknown = body
  const outer: ResponsePlace = ['body']
  const outerNames: string[] = []
  for (const name of isWhole ? [''] : (recordPath ?? [''])) {
    if (name === '*' || !isObject(around)) break
    visit(around, [...outer, ...outerNames], 0, name)
    outerNames.push(name)
    around = Object.hasOwn(around, name) ? around[name] : undefined
  }
  return found
}

/** The lists of things in an object, but for one of them. */
export function listsIn(members: Members, except?: string): (readonly unknown[])[] {
  return Object.keys(members).flatMap((name) => {
    const value = members[name]
    return name !== except && isList(value) && isObject(value[0]) && !linkList.test(name) ? [value] : []
  })
}

export const linkList = /^_?links?$/i
