/** A value → its members, one by one, as Python's `for` would see them. */
import { spend, spendList } from '../meter.ts'
import { needs } from '../trouble.ts'
import { type Bytes, type DictView, type Generator, type PySet, Tuple } from './containers.ts'
import { type Dict, dictEntries, dictKeys, dictSize, mappingDict } from './dict.ts'
import { kindOf } from './kind.ts'
import type { Value } from './value.ts'

/** The members, or null when the value cannot be iterated. */
export function membersOf(value: Value): Iterable<Value> | null {
  switch (kindOf(value)) {
    case 'list':
      return value as Value[]
    case 'str':
      return value as string
    case 'tuple':
    case 'set':
      return (value as Tuple | PySet).items
    case 'dict':
      return dictKeys(value as Dict)
    case 'mapping':
      return dictKeys(mappingDict(value))
    case 'view':
      return viewMembers(value as DictView)
    case 'generator':
      return metered((value as Generator).values)
    case 'bytes':
      return (value as Bytes).octets
    case 'undefined':
      return []
    default:
      return null
  }
}

function viewMembers({ of, dict }: DictView): Value[] {
  switch (of) {
    case 'keys':
      return dictKeys(dict)
    case 'values':
      return dictEntries(dict).map(([, value]) => value)
    case 'items':
      return dictEntries(dict).map((entry) => new Tuple(entry))
  }
}

function* metered(values: Iterable<Value>): Iterable<Value> {
  for (const value of values) {
    spend(1)
    yield value
  }
}

export function iterate(value: Value, what = 'this'): Iterable<Value> {
  const members = membersOf(value)
  if (members === null) throw needs(what, 'something to iterate over', value)
  return members
}

/** The members as a list of the template's own. */
export function listOf(value: Value, what?: string): Value[] {
  const list = [...iterate(value, what)]
  spendList(list.length)
  return list
}

/** Python counts characters, JavaScript counts code units. */
export function textLength(text: string): number {
  return isPlainText(text) ? text.length : Array.from(text).length
}

const surrogate = /[\ud800-\udfff]/

/** No character of the text takes two code units. */
export function isPlainText(text: string): boolean {
  return !surrogate.test(text)
}

/** `len(value)`, or null when the value has none. */
export function pythonLength(value: Value): number | null {
  switch (kindOf(value)) {
    case 'list':
      return (value as Value[]).length
    case 'str':
      return textLength(value as string)
    case 'tuple':
    case 'set':
      return (value as Tuple | PySet).items.length
    case 'dict':
      return dictSize(value as Dict)
    case 'mapping':
      return dictSize(mappingDict(value))
    case 'view':
      return dictSize((value as DictView).dict)
    case 'bytes':
      return (value as Bytes).octets.length
    case 'undefined':
      return 0
    default:
      return null
  }
}
