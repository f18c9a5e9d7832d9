/** The schema of a response → the list of records in it, or null where it is one thing, or none. */
import { companionNames } from '../../proof/names/paging-names.ts'
import { isEnvelope, meaningsOf } from '../../proof/names/claim-names.ts'
import { identifierRank, isNameAlike, isSideListName, isUsualListName } from '../../proof/detection/record-lists.ts'
import { plainName } from '../../proof/names/name-style.ts'
import { plainLetters } from '../../std/text/plain-letters.ts'
import type { DescribedField, DescribedList } from '../description.ts'
import { recordSchema } from './record-schema.ts'
import type { SchemaView, ViewOf } from './schema-view.ts'

export type ListQuestion = {
  readonly viewOf: ViewOf
  /** The last word of the path that is no parameter: `orders`. */
  readonly wanted: string
  /** The words of the path before it. */
  readonly before: readonly string[]
  /** The path ends with a parameter: one thing, unless the response is clearly a list. `of-list`: the path before it is a list. */
  readonly isItem: boolean | 'of-list'
  /** The request has parameters that ask for pages. */
  readonly hasPages: boolean
}

const deepest = 3
const mostMembers = 150

export function findRecordList(schema: unknown, question: ListQuestion): DescribedList | null {
  const { viewOf } = question
  const view = viewOf(schema)
  if (view.type === 'array') return isOfObjects(view.items, viewOf) ? listAt([], view.items, view, viewOf) : null
  const found = candidatesIn(view, question)
  const best = found.toSorted((one, other) => other.score - one.score)[0]
  if (best === undefined || best.score <= 0) return null
  return listAt(best.path, best.items, view, viewOf)
}

type ListCandidate = { readonly path: readonly string[]; readonly items: unknown; readonly score: number }

function candidatesIn(root: SchemaView, question: ListQuestion): ListCandidate[] {
  const { viewOf, wanted } = question
  const found: ListCandidate[] = []
  const visit = (view: SchemaView, path: readonly string[], open: readonly SchemaView[], isInThing: boolean) => {
    if (path.length >= deepest || open.includes(view)) return
    // What is in a thing is a part of it, however it is called.
    const isThing = isInThing || isOneThing(view, wanted)
    const kinds = [...view.properties.values()].slice(0, mostMembers).map((schema) => viewOf(schema).type)
    // `{ "OrdersResponse": { … } }`: one object, with nothing but a status next to it.
    const isOnlyObject =
      kinds.length <= 4 && kinds.filter((kind) => kind === 'object').length === 1 && !kinds.includes('array')
    const lists = [...view.properties].slice(0, mostMembers).flatMap(([name, schema]) => {
      const member = viewOf(schema)
      if (member.type === 'object' && (isHolder(name, wanted) || (isOnlyObject && !isThing)))
        visit(member, [...path, name], [...open, view], isThing)
      return member.type === 'array' && isOfObjects(member.items, viewOf) ? [{ name, items: member.items }] : []
    })
    const isAlone = lists.length === 1 && view.properties.size === 1
    const around = { isThing, isAlone, speaks: speaksOfPages(view, viewOf), lists: sureLists(lists, viewOf) }
    for (const { name, items } of lists)
      found.push({ path: [...path, name], items, score: scoreOf([...path, name], around, question) })
  }
  visit(root, [], [], false)
  return found
}

/** How many of the lists are known to hold objects; all of them where none is. */
function sureLists(lists: readonly { readonly items: unknown }[], viewOf: ViewOf): number {
  return lists.filter(({ items }) => viewOf(items).type === 'object').length || lists.length
}

/** Objects around the list: `data`, `_embedded`, `result`, or the thing's own name. */
function isHolder(name: string, wanted: string): boolean {
  return (
    isUsualListName(name) || plainName(name) === 'embedded' || isEnvelope(name) || isNameAlike(plainName(name), wanted)
  )
}

type Around = { readonly isThing: boolean; readonly isAlone: boolean; readonly speaks: boolean; readonly lists: number }

/** Above 0 where it is probably what the request is about. */
function scoreOf(path: readonly string[], { isThing, isAlone, speaks, lists }: Around, question: ListQuestion): number {
  const { wanted, before, isItem, hasPages } = question
  const name = plainName(path.at(-1) ?? '')
  const isWanted = isNameAlike(name, wanted)
  let score = -4
  if (isUsualListName(name) || name === 'item') score += 8
  const isNamed = isWanted || before.some((word) => isNameAlike(name, plainName(word)))
  if (isWanted) score += 7
  else if (isNamed) score += 3
  if (path.includes('_embedded')) score += 8
  // An invoice has totals, too.
  if (speaks && !isThing) score += 6
  if (hasPages) score += 4
  if (lists === 1) score += 5
  // Nothing but a list is a list.
  if (isAlone) score += 4
  // Tags next to things are no records; tags alone are what was asked for.
  const isMeant = lists === 1 && !isThing && !/^(errors?|warnings?|messages?|links?)$/.test(name)
  if (isSideListName(name) && !isNamed) score -= isMeant ? 3 : 12
  // `/horses/{id}/distances` with the horse around its distances.
  if (isThing) score -= hasPages || (isWanted && isItem === false) ? 6 : 14
  // Some APIs give one thing as a list of one.
  if (isItem !== false) score -= isItem === 'of-list' && !hasPages ? 16 : 5
  return score - path.length
}

/** An order with its lines, and not a page of them: it has an identity and fields of its own. */
function isOneThing({ properties }: SchemaView, wanted: string): boolean {
  const names = [...properties.keys()]
  if (names.some((name) => identifierRank(name) <= 1 || isNameAlike(plainName(name), `${wanted}id`))) return true
  const own = names.filter((name) =>
    /^(name|title|description|created(at|on|date)?|updated(at|on|date)?|email|slug)$/.test(plainName(name)),
  )
  return own.length >= 2
}

function speaksOfPages(view: SchemaView, viewOf: ViewOf, depth = 0): boolean {
  return [...view.properties].slice(0, mostMembers).some(([name, schema]) => {
    if (companionNames.has(plainLetters(name)) || ofPages.test(name)) return true
    if (meaningsOf(name).some(({ clarity }) => clarity !== 'vague')) return true
    return (
      depth === 0 && isEnvelope(name) && viewOf(schema).type === 'object' && speaksOfPages(viewOf(schema), viewOf, 1)
    )
  })
}

/** `totalJobCount`, `nextRecordKey`, `PaginationToken` */
const ofPages =
  /^(total|next)([A-Z_]|$)|(total|page|cursor|next|pagination)[_-]?(count|token|key|marker|link|size|number)s?$/i

/** Unknown items count as objects: a bare `type: array` says nothing against it. */
function isOfObjects(items: unknown, viewOf: ViewOf): boolean {
  const { type, properties } = viewOf(items)
  return type === 'object' || properties.size > 0 || type === null
}

function listAt(path: readonly string[], items: unknown, body: SchemaView, viewOf: ViewOf): DescribedList {
  const record = nodeOf(items, viewOf)
  const view = viewOf(record.schema)
  const fields = [...view.properties].map(([name, schema]) => fieldOf([name], viewOf(schema), view.required.has(name)))
  return {
    path: [...path, ...record.path],
    schema: () => (view.properties.size === 0 ? null : recordSchema(record.schema, viewOf)),
    fields,
    envelope: envelopeOf(body, path, viewOf),
  }
}

/** `edges: [{ node: … }]` */
function nodeOf(items: unknown, viewOf: ViewOf): { readonly path: readonly string[]; readonly schema: unknown } {
  const { properties } = viewOf(items)
  const node = properties.get('node')
  const isEdge = node !== undefined && properties.size <= 3 && viewOf(node).type === 'object'
  return isEdge ? { path: ['*', 'node'], schema: node } : { path: [], schema: items }
}

function fieldOf(path: readonly string[], { type, format, words }: SchemaView, isRequired: boolean): DescribedField {
  return { path, type, format, isRequired, words }
}

const deepestEnvelope = 4

/** Everything next to the list and around it, three levels deep; records are left out. */
function envelopeOf(body: SchemaView, listPath: readonly string[], viewOf: ViewOf): DescribedField[] {
  const found: DescribedField[] = []
  const visit = (view: SchemaView, path: readonly string[]) => {
    if (path.length >= deepestEnvelope) return
    for (const [name, schema] of [...view.properties].slice(0, mostMembers)) {
      const at = [...path, name]
      if (at.length === listPath.length && at.every((part, index) => part === listPath[index])) continue
      const member = viewOf(schema)
      const isAround = at.every((part, index) => part === listPath[index])
      if (member.type === 'object' && member.properties.size > 0) {
        if (isAround || isEnvelope(name) || meaningsOf(name).length > 0) visit(member, at)
      } else if (member.type === 'array') found.push(...linksIn(member, at, viewOf))
      else found.push(fieldOf(at, member, view.required.has(name)))
    }
  }
  if (body.type !== 'array') visit(body, [])
  return found
}

/** `links: [{ rel, href }]` */
function linksIn({ items }: SchemaView, path: readonly string[], viewOf: ViewOf): DescribedField[] {
  const { properties } = viewOf(items)
  const inList = properties.has('href') ? 'href' : properties.has('url') ? 'url' : null
  if (!properties.has('rel') || inList === null) return []
  return [{ path: [...path, 'next'], type: 'string', format: 'uri', isRequired: false, words: '', inList }]
}
