/** The methods of dict. */
import type { TemplateRun } from '../template-run.ts'
import { failed, needs, Trouble } from '../trouble.ts'
import { DictView, Tuple } from '../values/containers.ts'
import { describe } from '../values/describe.ts'
import { asDict, type Dict, dictEntries, dictGet, hashable, mapDelete, mapOf, mapSet } from '../values/dict.ts'
import { iterate } from '../values/iterate.ts'
import { usedUndefined } from '../values/undefined.ts'
import { given, type Value } from '../values/value.ts'
import { methods } from './method.ts'

export const dictMethods = methods<Dict>({
  get: [
    'key default?',
    (self, args) => {
      hashable(args.value(0))
      return given(dictGet(self, args.value(0)), given(args.optional(1), null))
    },
  ],
  keys: ['', (self) => new DictView('keys', self)],
  values: ['', (self) => new DictView('values', self)],
  items: ['', (self) => new DictView('items', self)],
  copy: ['', (self) => mapOf(dictEntries(self))],
  pop: [
    'key default?',
    (self, args, run) => {
      const map = changed(self, run)
      const held = dictGet(map, args.value(0))
      const found = held === undefined ? args.optional(1) : held
      if (found === undefined) throw failed(`there is no ${describe(args.value(0))} to remove`)
      mapDelete(map, args.value(0))
      return found
    },
  ],
  popitem: [
    '',
    (self, _, run) => {
      const map = changed(self, run)
      const last = [...map].at(-1)
      if (last === undefined) throw failed('the dict is empty')
      map.delete(last[0])
      return new Tuple(last)
    },
  ],
  setdefault: [
    'key default?',
    (self, args, run) => {
      const map = changed(self, run)
      const found = dictGet(map, args.value(0))
      if (found !== undefined) return found
      const value = args.optional(1) ?? null
      mapSet(map, args.value(0), value)
      return value
    },
  ],
  update: [
    'other? **',
    (self, args, run, call) => {
      const map = changed(self, run)
      const other = args.optional(0)
      for (const [key, value] of other === undefined ? [] : dictPairs(other)) mapSet(map, key, value)
      for (const [name, value] of call.named ?? []) if (name !== 'other') mapSet(map, name, value)
      return null
    },
  ],
  clear: [
    '',
    (self, _, run) => {
      changed(self, run).clear()
      return null
    },
  ],
  fromkeys: [
    'keys value?',
    (_, args) => mapOf([...iterate(args.value(0), '`fromkeys`')].map((key) => [key, args.optional(1) ?? null])),
  ],
})

function changed(self: Dict, run: TemplateRun): Map<Value, Value> {
  run.change()
  if (self instanceof Map) return self
  throw new Trouble('forbidden', 'this dict cannot be changed')
}

/** A mapping, or a list of pairs. */
export function dictPairs(value: Value): [Value, Value][] {
  const dict = asDict(value)
  if (dict !== null) return dictEntries(dict)
  usedUndefined(value)
  return [...iterate(value, '`dict`')].map((pair) => {
    const [key, member, ...rest] = iterate(pair, '`dict`')
    if (key === undefined || member === undefined || rest.length > 0) throw needs('`dict`', 'pairs', pair)
    return [key, member]
  })
}
