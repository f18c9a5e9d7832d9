/** What a template gave → the value its place in the manifest wants. */
import { spend } from './meter.ts'
import { literalEval } from './literal/literal.ts'
import { PySet, Tuple } from './values/containers.ts'
import { dictEntries, mappingDict, plainDict } from './values/dict.ts'
import { truthy } from './values/equality.ts'
import { str } from './values/python-text.ts'
import { asDouble, isInt, isNumber, kindOf } from './values/kind.ts'
import type { PlainDict, Value } from './values/value.ts'
import { maxValueDepth } from './limits.ts'

/**
 * Where the result goes. `string`: any field. `boolean`: a condition. `param`: query and form values, where only
 * strings and lists are read as literals. `header` and `json`: values of those. `str_typed`: a field that must be text.
 */
export type EvaluateAs = 'string' | 'boolean' | 'param' | 'header' | 'json' | 'str_typed'

/** `undefined`: the key is dropped. */
export function outcomeOfText(text: string, as: EvaluateAs): Value | undefined {
  if (text === '') return outcomeOfNothing(as, '')
  const literal = literalEval(text)
  const value = literal !== undefined && fits(literal, as) ? literal : text
  return as === 'boolean' ? !isFalse(value) : value
}

/** For a template that gave an empty text, or stumbled over something undefined. */
export function outcomeOfNothing(as: EvaluateAs, text: ''): Value | undefined {
  switch (as) {
    case 'string':
    case 'str_typed':
      return text
    case 'boolean':
      return false
    case 'param':
    case 'header':
    case 'json':
      return undefined
  }
}

function fits(literal: Value, as: EvaluateAs): boolean {
  if (as === 'str_typed') return typeof literal === 'string'
  return as !== 'param' || typeof literal === 'string' || Array.isArray(literal)
}

// Airbyte: None is not among the values that count as false.
function isFalse(value: Value): boolean {
  if (typeof value === 'string') return ['', 'False', 'false', '{}', '[]', '()', '0', '0.0'].includes(value)
  return value !== null && !truthy(value) && kindOf(value) !== 'bytes'
}

/** The same as making the value a text and reading that back, without doing either where they cancel out. */
export function outcomeOfValue(value: Value, as: EvaluateAs): Value | undefined {
  if (typeof value === 'string') return outcomeOfText(value, as)
  if (as === 'str_typed') return outcomeOfText(str(value), as)
  const settled = settle(value, 0)
  if (settled === undefined) return outcomeOfText(str(value), as)
  if (as === 'boolean') return !isFalse(settled)
  return fits(settled, as) ? settled : str(value)
}

/** What reading the value's text back would give; undefined when the text is not a literal. */
function settle(value: Value, depth: number): Value | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (isNumber(value)) return isInt(value) || Number.isFinite(asDouble(value)) ? value : undefined
  spend(0.05)
  if (depth > maxValueDepth) return undefined
  switch (kindOf(value)) {
    case 'list':
      return settleItems(value as Value[], depth)
    case 'tuple':
      if ((value as Tuple).shape?.type) return undefined
      return rewrapped(settleItems((value as Tuple).items, depth), (items) => new Tuple(items))
    case 'set':
      return rewrapped(settleItems((value as PySet).items, depth), (items) => new PySet(items))
    case 'dict':
      return value instanceof Map ? settleMap(value, depth) : settleDict(value as PlainDict, depth)
    case 'mapping':
      return settleMap(new Map(dictEntries(mappingDict(value))), depth)
    case 'bytes':
      return value
    default:
      return undefined
  }
}

function rewrapped(items: Value[] | undefined, wrap: (items: Value[]) => Value): Value | undefined {
  return items === undefined ? undefined : wrap(items)
}

/** Lists of the scope are given back as they are: nothing is copied unless a member changes. */
function settleItems(items: readonly Value[], depth: number): Value[] | undefined {
  let changed: Value[] | null = null
  for (const [index, item] of items.entries()) {
    const settled = settle(item, depth + 1)
    if (settled === undefined) return undefined
    if (changed === null && settled !== item) changed = items.slice(0, index)
    changed?.push(settled)
  }
  return changed ?? (items as Value[])
}

function settleDict(dict: PlainDict, depth: number): Value | undefined {
  let hasChanged = false
  for (const [, value] of dictEntries(dict)) {
    const settled = settle(value, depth + 1)
    if (settled === undefined) return undefined
    hasChanged ||= settled !== value
  }
  return hasChanged ? settleMap(new Map(dictEntries(dict)), depth) : dict
}

function settleMap(map: ReadonlyMap<Value, Value>, depth: number): Value | undefined {
  const entries = new Map<Value, Value>()
  for (const [key, value] of map) {
    const [settledKey, settled] = [settle(key, depth + 1), settle(value, depth + 1)]
    if (settledKey === undefined || settled === undefined) return undefined
    entries.set(settledKey, settled)
  }
  return plainDict(entries) ?? entries
}
