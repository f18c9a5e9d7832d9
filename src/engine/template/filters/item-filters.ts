/** Filters that give the members of a list one by one: map, select, reject, batch, slice. */
import type { TemplateRun } from '../template-run.ts'
import { failed, needs, Trouble } from '../trouble.ts'
import { Generator } from '../values/containers.ts'
import { truthy } from '../values/equality.ts'
import { iterate, listOf } from '../values/iterate.ts'
import type { Call } from '../values/callable.ts'
import type { Value } from '../values/value.ts'
import { allFilters } from './all-filters.ts'
import { attributeGetter } from './attribute-path.ts'
import { applyFilter, filters } from './filter.ts'
import { runTest } from '../tests.ts'
import { spend, spendList } from '../meter.ts'

function* mapped(values: Iterable<Value>, change: (value: Value) => Value): IterableIterator<Value> {
  for (const value of values) {
    spend(0.5)
    yield change(value)
  }
}

function* kept(values: Iterable<Value>, isKept: (value: Value) => boolean): IterableIterator<Value> {
  for (const value of values) {
    spend(0.5)
    if (isKept(value)) yield value
  }
}

/** `map('upper')` or `map(attribute='id', default=0)` */
function mapping({ positional, named }: Call, run: TemplateRun): (value: Value) => Value {
  const attribute = named?.get('attribute')
  if (positional.length === 0 && attribute !== undefined) {
    const stray = [...(named?.keys() ?? [])].find((name) => name !== 'attribute' && name !== 'default')
    if (stray !== undefined) throw new Trouble('failed', `\`| map\` has no argument \`${stray}\``)
    return attributeGetter(attribute, named?.get('default'))
  }
  const [name, ...rest] = positional
  if (typeof name !== 'string') throw new Trouble('failed', '`| map` needs the name of a filter, or `attribute=`')
  const filter = allFilters().get(name)
  if (filter === undefined) throw new Trouble('failed', `there is no filter \`${name.slice(0, 40)}\``)
  return (value) => applyFilter(name, filter, value, { positional: rest, named }, run)
}

/** The condition of `select('odd')`, or of `selectattr('id', 'eq', 5)`. */
function condition(
  call: Call,
  run: TemplateRun,
  getter: (value: Value) => Value,
  skip: number,
): (value: Value) => boolean {
  const [name, ...rest] = call.positional.slice(skip)
  if (name === undefined) return (value) => truthy(getter(value))
  if (typeof name !== 'string') throw needs('`| select`', 'the name of a test', name)
  return (value) => runTest(name, getter(value), { positional: rest, named: call.named }, run)
}

function selection(isWanted: boolean, byAttribute: boolean) {
  return [
    '* **',
    (input: Value, _: unknown, run: TemplateRun, call: Call): Value => {
      if (byAttribute && call.positional.length === 0) throw new Trouble('failed', 'the attribute is missing')
      if (!truthy(input)) return new Generator('select', [].values())
      const getter = byAttribute ? attributeGetter(call.positional[0]) : (value: Value) => value
      const isTrue = condition(call, run, getter, byAttribute ? 1 : 0)
      return new Generator(
        'select',
        kept(iterate(input, '`| select`'), (value) => isTrue(value) === isWanted),
      )
    },
  ] as const
}

export const itemFilters = filters({
  map: [
    '* **',
    (input, _, run, call) => {
      // Jinja tests for truth first: 0 and None count as empty lists here.
      const values = truthy(input) ? iterate(input, '`| map`') : []
      return new Generator('map', truthy(input) ? mapped(values, mapping(call, run)) : [].values())
    },
  ],
  select: selection(true, false),
  reject: selection(false, false),
  selectattr: selection(true, true),
  rejectattr: selection(false, true),
  batch: [
    'linecount fill_with?',
    (input, args) =>
      new Generator('batch', batches(listOf(input, '`| batch`'), args.whole(0), args.optional(1) ?? null)),
  ],
  slice: [
    'slices fill_with?',
    (input, args) =>
      new Generator('slice', slices(listOf(input, '`| slice`'), args.whole(0), args.optional(1) ?? null)),
  ],
})

function* batches(items: Value[], size: number, fill: Value): IterableIterator<Value> {
  if (size <= 0) {
    if (items.length > 0) yield items
    return
  }
  for (let start = 0; start < items.length; start += size) {
    const batch = items.slice(start, start + size)
    if (fill !== null) {
      spendList(size)
      while (batch.length < size) batch.push(fill)
    }
    yield batch
  }
}

function* slices(items: Value[], count: number, fill: Value): IterableIterator<Value> {
  if (count === 0) throw failed('cannot cut into 0 slices')
  const [size, longer] = [Math.floor(items.length / count), items.length % count]
  let start = 0
  for (let index = 0; index < count; index++) {
    const end = start + size + (index < longer ? 1 : 0)
    const slice = items.slice(start, end)
    if (fill !== null && index >= longer) slice.push(fill)
    start = end
    yield slice
  }
}
