/** What was given and answered → the places where a paging value may go, the most likely first. */
import { isGraphqlBody } from '../names/graphql-body.ts'
import { isObject } from '../../std/values/objects.ts'
import { isNameOf, isPagingName, type NameKind, rankOf, headerNamesOf, styledNames } from '../names/paging-names.ts'
import type { NameStyle } from '../names/name-style.ts'
import { filledSlots, inQuery, type BaseRequest, type Slot, slotKey } from './probe-request.ts'

/** Objects in JSON bodies that hold paging values. */
const holders = new Set(['page', 'pagination', 'paging', 'pager', 'options', 'params', 'cursor'])

export function isHolder(name: string): boolean {
  return holders.has(name.toLowerCase()) || name === 'variables'
}

export type SlotSource = {
  readonly question: BaseRequest
  /** Names that the request, the response or its links use. */
  readonly hints: readonly string[]
  readonly style: NameStyle
}

/** In order: what the request has already, hinted names, usual names, headers. */
export function slotsFor(kind: NameKind, source: SlotSource): Slot[] {
  const { question, hints, style } = source
  const declared = variablesOf(question)
  if (declared.length > 0) return variableSlots(kind, question)
  const hinted = hints.filter((name) => isNameOf(kind, name))
  const all = [...hinted, ...styledNames(kind, style)]
  const inHeaders = headerNamesOf(kind).map((name): Slot => ({ into: 'header', path: [name] }))
  return unique([
    ...givenSlots(question).filter((slot) => isSlotOf(kind, slot)),
    ...placesFor(question, all),
    ...inHeaders,
  ])
}

/** What a query declares is all that it takes: by the name of the argument first, which means what it says. */
export function variableSlots(kind: NameKind, question: BaseRequest): Slot[] {
  const wantsText = kind === 'cursor' || kind === 'after'
  const isFor = (name: string | null) => name !== null && isNameOf(kind, name)
  const fitting = variablesOf(question).filter(({ type }) => (wantsText ? type !== 'Int' : type === 'Int'))
  const byArgument = fitting.filter(({ argument }) => isFor(argument))
  const byName = fitting.filter(({ argument, name }) => !isFor(argument) && isFor(name) && !isOther(kind, argument))
  const named = [...byArgument, ...byName]
  // A number that is given to nothing known may still say how many.
  const others = fitting.filter(({ argument, name }) => !isPagingName(argument ?? name))
  return free(question, [...named, ...(named.length === 0 && kind === 'size' ? others : [])].map(slotOf))
}

/** An argument that says what it is for is not taken for something else. */
function isOther(kind: NameKind, argument: string | null): boolean {
  return argument !== null && !isNameOf(kind, argument) && isPagingName(argument)
}

export function variablesOf(question: BaseRequest): Variable[] {
  const { json } = question
  return isGraphql(question) && isObject(json) && typeof json.query === 'string' ? variablesIn(json.query) : []
}

export function slotOf({ name, argument }: Variable): Slot {
  return { ...inJson(['variables', name]), ...(argument !== null && { as: argument }) }
}

/** By its name, or by that and the object around it: `page.number`. */
export function isSlotOf(kind: NameKind, { path, as }: Slot): boolean {
  if (as !== undefined && isNameOf(kind, as)) return true
  return isNameOf(kind, path.at(-1) ?? '') || (path.length > 1 && isNameOf(kind, path.slice(-2).join('_')))
}

export function slotRank(kind: NameKind, { path, as }: Slot): number {
  if (as !== undefined && isNameOf(kind, as)) return rankOf(kind, as)
  const last = path.at(-1) ?? ''
  return rankOf(kind, isNameOf(kind, last) ? last : path.slice(-2).join('_'))
}

/** Every slot of the given request, except filters: another value there would select other records. */
export function givenSlots(question: BaseRequest): Slot[] {
  const slots = filledSlots(question).map(({ slot }) => slot)
  return free(
    question,
    slots.filter(({ into, path }) => into !== 'body_json' || !path.slice(0, -1).some((name) => chooses.test(name))),
  )
}

const chooses =
  /^(query|filters?|where|range|bool|must|must_?not|should|match|terms?|conditions?|criteria|sort|order(_?by)?|aggs|aggregations|facets?)$/i

/** Where a request of this kind takes values: query, form or JSON body, and there in objects that are made for it. */
export function placesFor(question: BaseRequest, some: readonly string[]): Slot[] {
  return free(question, allPlacesFor(question, some))
}

/** Without those that hold a credential: in its place, a guess would be refused, and show nothing. */
function free({ held }: BaseRequest, slots: readonly Slot[]): Slot[] {
  return slots.filter((slot) => !held.has(slotKey(slot)))
}

function allPlacesFor(question: BaseRequest, some: readonly string[]): Slot[] {
  const { json, form, method } = question
  const params = some.map(inQuery)
  if (form !== null) return [...some.map((name): Slot => ({ into: 'body_data', path: [name] })), ...params]
  if (json === undefined && method === 'GET') return params
  const nested = holdersIn(question).flatMap((holder) => some.map((name) => inJson([holder, ...stepsIn(name)])))
  const declared = variablesOf(question)
  if (declared.length > 0)
    return declared.filter(({ name, argument }) => some.includes(name) || some.includes(argument ?? '')).map(slotOf)
  if (isGraphql(question)) return nested
  const flat = some.map((name) => inJson(stepsIn(name)))
  // A body may be there for the search alone, and the page in the address.
  return [...nested, ...flat.flatMap((slot, index) => [slot, params[index] as Slot])]
}

function inJson(path: readonly string[]): Slot {
  return { into: 'body_json', path }
}

/** `page[size]` is an object within an object, where there are objects. */
function stepsIn(name: string): string[] {
  return name.split('[').map((part) => part.replace(/\]$/, ''))
}

function holdersIn(question: BaseRequest): string[] {
  if (isGraphql(question)) return ['variables']
  const { json } = question
  if (!isObject(json)) return []
  return Object.keys(json).filter((name) => isObject(json[name]) && holders.has(name.toLowerCase()))
}

export function isGraphql({ json }: BaseRequest): boolean {
  return isGraphqlBody(json)
}

export function unique(slots: readonly Slot[]): Slot[] {
  const seen = new Set<string>()
  return slots.filter((slot) => {
    const key = slotKey(slot)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** The variables that a GraphQL query declares, and the arguments that they are passed to. */
type Variable = {
  readonly name: string
  /** Without what makes it a list or required: `Int`, `String`. */
  readonly type: string
  /** Must be given, and has no default. */
  readonly isRequired: boolean
  /** `first` for `orders(first: $n)`; null where it is given to none directly. */
  readonly argument: string | null
}

export function variablesIn(query: string): Variable[] {
  const text = query.replaceAll(/#[^\n]*/g, '')
  const head = /^\s*(?:query|subscription)\b[^({]*\(([^)]*)\)/.exec(text)?.[1] ?? ''
  return [...head.matchAll(/\$(\w+)\s*:\s*([[\]!\w]+)\s*(=)?/g)].map(([, name = '', type = '', hasDefault]) => ({
    name,
    type: type.replaceAll(/[[\]!]/g, ''),
    isRequired: type.endsWith('!') && hasDefault === undefined,
    argument: new RegExp(`(\\w+)\\s*:\\s*\\$${name}\\b`).exec(text.replace(head, ''))?.[1] ?? null,
  }))
}
