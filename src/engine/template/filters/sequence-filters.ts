/** Filters over lists and dicts that give one value, or a new order. */
import { spend, spendText } from '../meter.ts'
import { dictPairs } from '../methods/dict-methods.ts'
import { sortedBy } from '../methods/list-methods.ts'
import { Trouble, needs, wrongType } from '../trouble.ts'
import { calculate } from '../values/arithmetic.ts'
import { Generator, Tuple, Undefined } from '../values/containers.ts'
import { asDict, dictEntries, hashable } from '../values/dict.ts'
import { compare, same, truthy } from '../values/equality.ts'
import { iterate, listOf, membersOf, pythonLength } from '../values/iterate.ts'
import { str } from '../values/python-text.ts'
import { usedUndefined } from '../values/undefined.ts'
import { kindOf } from '../values/kind.ts'
import { given, type Value } from '../values/value.ts'
import { attributeGetter, ignoringCase } from './attribute-path.ts'
import { filters } from './filter.ts'

function length(input: Value): Value {
  const size = pythonLength(input)
  if (size === null) throw needs('`| length`', 'something with a length', input)
  return size
}

/** Python's `max` and `min`: the first of equals wins. */
export function extreme(
  values: Iterable<Value>,
  direction: 1 | -1,
  keyOf = (value: Value) => value,
): Value | undefined {
  let best: { value: Value; key: Value } | undefined
  for (const value of values) {
    spend(0.1)
    const key = keyOf(value)
    if (best === undefined || direction * compare(key, best.key, direction === 1 ? '>' : '<') > 0) best = { value, key }
  }
  return best?.value
}

const extremeFilter = (direction: 1 | -1) =>
  [
    'case_sensitive? attribute?',
    (input: Value, args: { optional(index: number): Value | undefined }) => {
      const keyOf = ignoringCase(attributeGetter(args.optional(1)), truthy(args.optional(0) ?? false))
      return given(extreme(iterate(input), direction, keyOf), new Undefined('the list is empty'))
    },
  ] as const

/** Kinds that Python can iterate backwards. */
function backwards(input: Value): Value[] | null {
  switch (kindOf(input)) {
    case 'list':
    case 'tuple':
    case 'str':
    case 'dict':
    case 'view':
    case 'bytes':
    case 'undefined':
      return listOf(input).toReversed()
    default:
      return null
  }
}

export const sequenceFilters = filters({
  length: ['', length],
  count: ['', length],
  first: ['', (input) => given(firstOf(iterate(input, '`| first`')), new Undefined('the list is empty'))],
  last: [
    '',
    (input) => {
      const items = backwards(input)
      if (items === null) throw needs('`| last`', 'a list', input)
      return given(items[0], new Undefined('the list is empty'))
    },
  ],
  random: [
    '',
    (input) => {
      const items = listOf(input, '`| random`')
      return given(items[Math.floor(Math.random() * items.length)], new Undefined('the list is empty'))
    },
  ],
  list: ['', (input) => listOf(input, '`| list`')],
  reverse: [
    '',
    (input) => {
      if (typeof input === 'string') return Array.from(input).toReversed().join('')
      const items = backwards(input)
      if (items !== null) return new Generator('reverse', items.values())
      if (membersOf(input) === null) throw needs('`| reverse`', 'a list', input)
      return listOf(input).toReversed()
    },
  ],
  join: [
    'd? attribute?',
    (input, args) => {
      const keyOf = attributeGetter(args.optional(1))
      const parts: string[] = []
      let size = 0
      const by = str(given(args.optional(0), ''))
      for (const value of iterate(input, '`| join`')) {
        spend(0.2)
        const text = str(keyOf(value))
        size += text.length + by.length
        parts.push(text)
      }
      spendText(size)
      return parts.join(by)
    },
  ],
  sum: [
    'attribute? start?',
    (input, args) => {
      const keyOf = attributeGetter(args.optional(0))
      let total = given(args.optional(1), 0)
      if (typeof total === 'string') throw wrongType('`| sum` cannot add up strings; use `| join`')
      for (const value of iterate(input, '`| sum`')) {
        spend(0.2)
        total = calculate('+', total, keyOf(value))
      }
      return total
    },
  ],
  max: extremeFilter(1),
  min: extremeFilter(-1),
  sort: [
    'reverse? case_sensitive? attribute?',
    (input, args) => {
      const isCaseSensitive = truthy(args.optional(1) ?? false)
      return sortedBy(
        listOf(input, '`| sort`'),
        manyKeys(args.optional(2), isCaseSensitive),
        truthy(args.optional(0) ?? false),
      )
    },
  ],
  unique: [
    'case_sensitive? attribute?',
    (input, args) => {
      const keyOf = ignoringCase(attributeGetter(args.optional(1)), truthy(args.optional(0) ?? false))
      return new Generator('unique', uniqueBy(iterate(input, '`| unique`'), keyOf))
    },
  ],
  groupby: [
    'attribute default? case_sensitive?',
    (input, args) =>
      groups(listOf(input, '`| groupby`'), args.value(0), args.optional(1), truthy(args.optional(2) ?? false)),
  ],
  dictsort: [
    'case_sensitive? by? reverse?',
    (input, args) => {
      usedUndefined(input)
      const dict = asDict(input)
      if (dict === null) throw needs('`| dictsort`', 'a dict', input)
      const by = args.optional(1) ?? 'key'
      if (by !== 'key' && by !== 'value') throw new Trouble('failed', '`| dictsort` sorts by "key" or "value"')
      const keyOf = ignoringCase(
        (pair) => (pair as Tuple).items[by === 'key' ? 0 : 1] as Value,
        truthy(args.optional(0) ?? false),
      )
      const pairs = dictEntries(dict).map((entry) => new Tuple(entry))
      return sortedBy(pairs, keyOf, truthy(args.optional(2) ?? false))
    },
  ],
  items: [
    '',
    (input) => {
      if (kindOf(input) === 'undefined') return new Generator('items', [].values())
      if (asDict(input) === null) throw needs('`| items`', 'a dict', input)
      return new Generator(
        'items',
        dictPairs(input)
          .map((entry) => new Tuple(entry))
          .values(),
      )
    },
  ],
})

function firstOf(values: Iterable<Value>): Value | undefined {
  for (const value of values) return value
  return undefined
}

/** `attribute='a,b'` sorts by a, then by b. Jinja compares lists of keys, so undefined keys count as equal. */
function manyKeys(attribute: Value | undefined, isCaseSensitive: boolean): (value: Value) => Value {
  const parts = typeof attribute === 'string' ? attribute.split(',') : [attribute]
  const getters = parts.map((part) => ignoringCase(attributeGetter(part), isCaseSensitive))
  return (value) => new Tuple(getters.map((getter) => getter(value)))
}

function* uniqueBy(values: Iterable<Value>, keyOf: (value: Value) => Value): IterableIterator<Value> {
  const texts = new Set<string>()
  const others: Value[] = []
  for (const value of values) {
    const key = keyOf(value)
    if (typeof key === 'string') {
      if (texts.has(key)) continue
      texts.add(key)
    } else {
      hashable(key)
      spend(others.length / 50)
      if (others.some((other) => same(other, key))) continue
      others.push(key)
    }
    yield value
  }
}

function groups(items: Value[], attribute: Value, fallback: Value | undefined, isCaseSensitive: boolean): Value {
  const plain = attributeGetter(attribute, fallback)
  const keyOf = ignoringCase(plain, isCaseSensitive)
  const found: { key: Value; members: Value[] }[] = []
  for (const item of sortedBy(items, keyOf)) {
    const key = keyOf(item)
    const last = found.at(-1)
    if (last !== undefined && same(last.key, key)) last.members.push(item)
    else found.push({ key, members: [item] })
  }
  const shape = { type: '', names: ['grouper', 'list'] }
  return found.map(
    ({ key, members }) => new Tuple([isCaseSensitive ? key : plain(members[0] as Value), members], shape),
  )
}
