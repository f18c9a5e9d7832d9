/** What was given and answered → the places where a paging value may go, the most likely first. */
import { isObject } from '../../members.ts'
import { headerNames, hintedSizes, holders, type NameKind, names } from './paging-names.ts'
import { inQuery, type Question, type Slot, slotKey } from './question.ts'
import { plainName } from './words.ts'

const known: Readonly<Record<NameKind, ReadonlySet<string>>> = {
  page: plainSet(names.page),
  offset: plainSet(names.offset),
  size: plainSet([...names.size, ...hintedSizes]),
  after: plainSet(names.after),
  cursor: plainSet(names.cursor),
}

function plainSet(some: readonly string[]): ReadonlySet<string> {
  return new Set(some.map(plainName))
}

export function isNameOf(kind: NameKind, name: string): boolean {
  return known[kind].has(plainName(name))
}

/** Where a request of this kind takes values, beside those that it has: query, body or header. */
export function slotsFor(kind: NameKind, question: Question, hints: readonly string[]): Slot[] {
  const hinted = hints.filter((name) => isNameOf(kind, name))
  const all = [...hinted, ...names[kind]]
  const slots = [...given(kind, question), ...placesIn(question, all), ...headersFor(kind)]
  return unique(slots)
}

/** What the request itself already has under such a name. */
function given(kind: NameKind, { json, form, query }: Question): Slot[] {
  const inForm = (form ?? []).map(([name]): Slot => ({ into: 'body_data', path: [name] }))
  const slots = [...pathsIn(json), ...inForm, ...query.map(([name]) => inQuery(name))]
  return slots.filter(({ path }) => isNameOf(kind, path.at(-1) ?? ''))
}

function pathsIn(value: unknown, path: readonly string[] = []): Slot[] {
  if (isObject(value) && path.length < 4)
    return Object.keys(value).flatMap((name) => pathsIn(value[name], [...path, name]))
  return path.length === 0 ? [] : [{ into: 'body_json', path }]
}

export function placesIn(question: Question, some: readonly string[]): Slot[] {
  const { json, form, method } = question
  const params = some.map(inQuery)
  if (form !== null) return [...some.map((name): Slot => ({ into: 'body_data', path: [name] })), ...params]
  if (json === undefined && method === 'GET') return params
  const inner = holdersIn(question)
  const flat = some.map((name): Slot => ({ into: 'body_json', path: [name] }))
  const nested = inner.flatMap((holder) => some.map((name): Slot => ({ into: 'body_json', path: [holder, name] })))
  return isGraphql(question) ? nested : [...nested, ...flat, ...params]
}

/** Objects of the body that paging values go into; of GraphQL the variables. */
function holdersIn(question: Question): string[] {
  if (isGraphql(question)) return ['variables']
  const { json } = question
  if (!isObject(json)) return []
  return Object.keys(json).filter((name) => isObject(json[name]) && (holders as readonly string[]).includes(name))
}

export function isGraphql({ json }: Question): boolean {
  return isObject(json) && typeof json.query === 'string' && /[{(]/.test(json.query)
}

function headersFor(kind: NameKind): Slot[] {
  return headerNames[kind].map((name): Slot => ({ into: 'header', path: [name] }))
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
