/** A request as it was given → the numbers in it that may turn its pages, whatever they are called. */
import { isObject } from '../../std/values/objects.ts'
import { isNameOf, isPagingName } from '../names/paging-names.ts'
import type { Question, Slot } from './question.ts'
import { givenSlots } from './slots.ts'

export type GivenNumber = { readonly slot: Slot; readonly value: number }

const small = /^\d{1,6}$/

/** Both numbers in one value first, as hardly anything else is written so; then the end of the path, then the rest. */
export function givenNumbers(question: Question): GivenNumber[] {
  return [...pairsIn(question), ...inPath(question), ...foreignIn(question)]
}

/** Parameters that ask for as many records as came. */
export function givenSizes(question: Question, count: number): Slot[] {
  return givenSlots(question).filter((slot) => {
    const name = slot.path.at(-1) ?? ''
    return valueAt(question, slot) === String(count) && (isNameOf('size', name) || !isPagingName(name))
  })
}

/** `range=0,100`: where to begin, and how many. */
function pairsIn({ query }: Question): GivenNumber[] {
  return query.flatMap(([name, text]): GivenNumber[] => {
    const [, start, limit] = /^(\d{1,6}),(\d{1,4})$/.exec(text) ?? []
    if (start === undefined) return []
    return [{ slot: { into: 'request_parameter', path: [name], after: `,${limit}` }, value: Number(start) }]
  })
}

/** `/orders/page/3`, `/orders/1`. A number further in front is the id of something. */
function inPath({ address }: Question): GivenNumber[] {
  const last = new URL(address).pathname.split('/').at(-1) ?? ''
  return small.test(last) ? [{ slot: { into: 'path', path: ['0'] }, value: Number(last) }] : []
}

/** Those with a usual name are tried anyway. */
function foreignIn(question: Question): GivenNumber[] {
  return givenSlots(question).flatMap((slot): GivenNumber[] => {
    const text = valueAt(question, slot)
    return text !== null && small.test(text) && !isPagingName(slot.path.at(-1) ?? '')
      ? [{ slot, value: Number(text) }]
      : []
  })
}

function valueAt({ query, form, json }: Question, { into, path }: Slot): string | null {
  if (into !== 'body_json') {
    const pairs = into === 'body_data' ? (form ?? []) : query
    return pairs.find(([name]) => name === path[0])?.[1] ?? null
  }
  let value: unknown = json
  for (const name of path) value = isObject(value) ? value[name] : undefined
  return typeof value === 'number' || typeof value === 'string' ? String(value) : null
}
