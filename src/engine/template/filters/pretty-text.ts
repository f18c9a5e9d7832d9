/** A value → Python's `pprint.pformat`: one line when it fits 80 columns, else a line per member. */
import { maxValueDepth } from '../limits.ts'
import { spend } from '../meter.ts'
import { sortedBy } from '../methods/list-methods.ts'
import { tooMuchWork, Trouble } from '../trouble.ts'
import { Tuple } from '../values/containers.ts'
import { type Dict, dictEntries } from '../values/dict.ts'
import { repr } from '../values/python-text.ts'
import { kindOf } from '../values/kind.ts'
import type { Value } from '../values/value.ts'

const width = 80

export function prettyText(value: Value, column = 0, depth = 0): string {
  if (depth > maxValueDepth) throw tooMuchWork('prints a value nested too deeply')
  const line = repr(sorted(value, depth))
  if (line.length <= width - column) return line
  const inner = column + 1
  switch (kindOf(value)) {
    case 'list':
      return `[${(value as Value[]).map((item) => prettyText(item, inner, depth + 1)).join(`,\n${' '.repeat(inner)}`)}]`
    case 'dict': {
      const rows = entriesOf(value as Dict).map(([key, member]) => {
        const label = `${repr(key)}: `
        return label + prettyText(member, inner + label.length, depth + 1)
      })
      return `{${rows.join(`,\n${' '.repeat(inner)}`)}}`
    }
    default:
      return line
  }
}

function entriesOf(dict: Dict): [Value, Value][] {
  const entries = dictEntries(dict)
  try {
    return sortedBy(
      entries.map((entry) => new Tuple(entry)),
      (pair) => (pair as Tuple).items[0] as Value,
    ).map((pair) => [...(pair as Tuple).items] as [Value, Value])
  } catch (error) {
    // Keys of several types keep their order.
    if (error instanceof Trouble && error.kind === 'wrong-type') return entries
    throw error
  }
}

/** The value with the keys of all its dicts in order. */
function sorted(value: Value, depth: number): Value {
  spend(1)
  if (depth > maxValueDepth) throw tooMuchWork('prints a value nested too deeply')
  switch (kindOf(value)) {
    case 'list':
      return (value as Value[]).map((item) => sorted(item, depth + 1))
    case 'tuple':
      return new Tuple((value as Tuple).items.map((item) => sorted(item, depth + 1)))
    case 'dict':
      return new Map(entriesOf(value as Dict).map(([key, member]) => [key, sorted(member, depth + 1)]))
    default:
      return value
  }
}
