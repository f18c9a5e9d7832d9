/** Values that keep every digit → plain JSON, which is what the SDK can send. */
import { Float, LongDecimal } from '../std/json.ts'
import { isList } from '../std/values/objects.ts'

/** Numbers with more digits than a double holds become strings: a rounded id would be another id. */
export function plainJson(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (value instanceof LongDecimal) return value.toString()
  if (value instanceof Float) return value.value
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (isList(value)) return value.map((item) => plainJson(item) ?? null)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === undefined ? [] : [[name, plainJson(member)]])),
  )
}

/** The start of a value: long strings and lists are cut, so that the whole has about this many characters. */
export function cutJson(value: unknown, characters: number): { readonly value: unknown; readonly isCut: boolean } {
  let left = characters
  let isCut = false
  const cut = (one: unknown): unknown => {
    if (typeof one === 'string') {
      const kept = one.slice(0, Math.max(left, 0))
      isCut ||= kept.length < one.length
      left -= kept.length + 2
      return kept.length < one.length ? `${kept}…` : one
    }
    if (isList(one)) return take(one, (item) => cut(item))
    if (typeof one !== 'object' || one === null) {
      left -= 8
      return one
    }
    const members = take(Object.entries(one), ([name, member]): [string, unknown] => {
      left -= name.length + 4
      return [name, cut(member)]
    })
    return Object.fromEntries(members)
  }
  const take = <From, To>(items: readonly From[], change: (item: From) => To): To[] => {
    const kept: To[] = []
    for (const item of items) {
      if (left <= 0) {
        isCut = true
        break
      }
      kept.push(change(item))
    }
    return kept
  }
  const start = cut(plainJson(value))
  return { value: start, isCut }
}
