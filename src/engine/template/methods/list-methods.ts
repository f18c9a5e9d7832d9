/** The methods of list, tuple and set. */
import { spend, spendList } from '../meter.ts'
import { failed } from '../trouble.ts'
import { PySet, type Tuple } from '../values/containers.ts'
import { describe } from '../values/describe.ts'
import { hashable } from '../values/dict.ts'
import { compare, same, truthy } from '../values/equality.ts'
import { listOf } from '../values/iterate.ts'
import type { Value } from '../values/value.ts'
import { Callable } from '../values/callable.ts'
import { methods } from './method.ts'

function position(items: readonly Value[], wanted: Value, start: number | null, stop: number | null): number {
  spend(items.length / 10)
  const [from, to] = [start ?? 0, stop ?? items.length].map((bound) => (bound < 0 ? bound + items.length : bound))
  const found = items.findIndex((item, index) => index >= Number(from) && index < Number(to) && same(item, wanted))
  if (found === -1) throw failed(`${describe(wanted)} is not in the list`)
  return found
}

function count(items: readonly Value[], wanted: Value): number {
  spend(items.length / 10)
  return items.filter((item) => same(item, wanted)).length
}

export const tupleMethods = methods<Tuple>({
  index: [
    'value start? stop?',
    (self, args) => position(self.items, args.value(0), args.optionalWhole(1), args.optionalWhole(2)),
  ],
  count: ['value', (self, args) => count(self.items, args.value(0))],
})

export const listMethods = methods<Value[]>({
  index: [
    'value start? stop?',
    (self, args) => position(self, args.value(0), args.optionalWhole(1), args.optionalWhole(2)),
  ],
  count: ['value', (self, args) => count(self, args.value(0))],
  copy: ['', (self) => [...self]],
  append: [
    'value',
    (self, args, run) => {
      run.change()
      self.push(args.value(0))
      return null
    },
  ],
  extend: [
    'values',
    (self, args, run) => {
      run.change()
      const added = listOf(args.value(0), '`extend`')
      spendList(self.length + added.length)
      for (const value of added) self.push(value)
      return null
    },
  ],
  insert: [
    'index value',
    (self, args, run) => {
      run.change()
      spendList(self.length)
      self.splice(args.whole(0), 0, args.value(1))
      return null
    },
  ],
  remove: [
    'value',
    (self, args, run) => {
      run.change()
      self.splice(position(self, args.value(0), null, null), 1)
      return null
    },
  ],
  pop: [
    'index?',
    (self, args, run) => {
      run.change()
      const index = args.optionalWhole(0) ?? -1
      const at = index < 0 ? index + self.length : index
      if (at < 0 || at >= self.length)
        throw failed(self.length === 0 ? 'the list is empty' : `there is no member ${index}`)
      return self.splice(at, 1)[0] as Value
    },
  ],
  clear: [
    '',
    (self, _, run) => {
      run.change()
      self.length = 0
      return null
    },
  ],
  reverse: [
    '',
    (self, _, run) => {
      run.change()
      self.reverse()
      return null
    },
  ],
  sort: [
    'key? reverse?',
    (self, args, run) => {
      run.change()
      const key = args.optional(0)
      const by =
        key instanceof Callable ? (value: Value) => key.call({ positional: [value], named: null }, run) : undefined
      const sorted = sortedBy(self, by, truthy(args.optional(1) ?? false))
      for (const [index, value] of sorted.entries()) self[index] = value
      return null
    },
  ],
})

/** A stable sort by Python's order. */
export function sortedBy(
  values: readonly Value[],
  keyOf: (value: Value) => Value = (value) => value,
  isReversed = false,
): Value[] {
  spendList(values.length)
  const keyed = values.map((value) => ({ value, key: keyOf(value) }))
  // Python keeps the order of equals in reverse, too.
  const order = isReversed ? -1 : 1
  return keyed
    .toSorted((left, right) => {
      spend(0.2)
      return order * (compare(left.key, right.key) || 0)
    })
    .map(({ value }) => value)
}

/** Without those that equal an earlier one. */
function distinct(values: Iterable<Value>): Value[] {
  const kept: Value[] = []
  for (const value of values) {
    hashable(value)
    spend(kept.length / 50)
    if (!kept.some((other) => same(other, value))) kept.push(value)
  }
  return kept
}

const isIn = (items: readonly Value[]) => (value: Value) => items.some((item) => same(item, value))

export const setMethods = methods<PySet>({
  union: ['other', (self, args) => new PySet(distinct([...self.items, ...listOf(args.value(0))]))],
  intersection: ['other', (self, args) => new PySet(self.items.filter(isIn(listOf(args.value(0)))))],
  difference: [
    'other',
    (self, args) => {
      const within = isIn(listOf(args.value(0)))
      return new PySet(self.items.filter((item) => !within(item)))
    },
  ],
  issubset: ['other', (self, args) => self.items.every(isIn(listOf(args.value(0))))],
  issuperset: ['other', (self, args) => listOf(args.value(0)).every(isIn(self.items))],
  copy: ['', (self) => self],
})
