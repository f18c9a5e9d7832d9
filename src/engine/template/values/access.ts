/** `x.name`, `x[key]`, `x[a:b]` → the member, or an Undefined that remembers what was missing. */
import { AttributedDict, HeaderDict } from '../host.ts'
import { spendList, spendText } from '../meter.ts'
import { attributeOf } from '../methods/attributes.ts'
import { failed, needs } from '../trouble.ts'
import { type Bytes, Namespace, Tuple, Undefined } from './containers.ts'
import { describe } from './describe.ts'
import { anyGet, type Dict, dictGet, hasOwn, mappingGet } from './dict.ts'
import { isPlainText } from './iterate.ts'
import { usedUndefined } from './undefined.ts'
import { isInt, kindOf } from './kind.ts'
import type { PlainDict, Value } from './value.ts'

/** Attributes every Python object has. Templates may not reach them: they lead to the program. */
const internals = new Set(
  (
    'class init new dict doc module mro bases base subclasses globals code closure self func builtins import ' +
    'getattribute getattr setattr delattr reduce reduce_ex repr str hash eq ne lt le gt ge format sizeof dir ' +
    'init_subclass subclasshook getstate contains getitem setitem delitem iter len call name qualname defaults ' +
    'kwdefaults annotations wrapped slots weakref add mul or ior ror reversed class_getitem text_signature'
  )
    .split(' ')
    .map((word) => `__${word}__`),
)

export function isInternal(name: string): boolean {
  return internals.has(name)
}

function missing(value: Value, key: Value): Undefined {
  const shown = typeof key === 'string' ? `\`${key.slice(0, 60)}\`` : describe(key)
  const missed = typeof key === 'string' ? { name: key, of: value } : null
  return new Undefined(`there is no ${shown} in ${describe(value)}`, false, missed)
}

function outOfBounds(name: string): Undefined {
  return new Undefined(`\`${name}\` is out of bounds`, true)
}

/** `value.name`: Python's own attributes come before keys. */
export function getAttribute(value: Value, name: string): Value {
  usedUndefined(value)
  if (isInternal(name)) return outOfBounds(name)
  const attribute = attributeOf(value, name)
  if (attribute !== undefined) return attribute
  const found = keyed(value, name)
  return found === undefined ? missing(value, name) : found
}

/** The fast way for dicts from JSON; `name` is known to be no attribute of dicts. */
export function getKey(value: Value, name: string): Value {
  if (!isPlainDict(value)) return getAttribute(value, name)
  const found = value[name]
  return found !== undefined && hasOwn(value, name) ? (found as Value) : missing(value, name)
}

/** What JSON gives: no class of ours, and nothing inherited but what every object inherits. */
function isPlainDict(value: Value): value is PlainDict {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

function keyed(value: Value, key: Value): Value | undefined {
  switch (kindOf(value)) {
    case 'dict':
      return dictGet(value as Dict, key)
    case 'mapping':
      return mappingGet(value as AttributedDict | HeaderDict, key)
    case 'namespace':
      return (value as Namespace).entries.get(key)
    default:
      return undefined
  }
}

/** `value[key]`: keys come before attributes. */
export function getItem(value: Value, key: Value): Value {
  if (typeof key === 'string' && isPlainDict(value)) {
    const found = value[key]
    if (found !== undefined && hasOwn(value, key)) return found as Value
  }
  usedUndefined(value)
  const found = isInt(key) ? indexed(value, Number(key)) : itemOf(value, key)
  if (found !== undefined) return found
  if (typeof key !== 'string') return missing(value, key)
  if (isInternal(key)) return outOfBounds(key)
  const attribute = attributeOf(value, key)
  return attribute === undefined ? missing(value, key) : attribute
}

// Python's unhashable keys are a TypeError, which Jinja turns into an undefined value.
function itemOf(value: Value, key: Value): Value | undefined {
  const kind = kindOf(value)
  if (kind !== 'dict' && kind !== 'mapping') return undefined
  const keyKind = kindOf(key)
  if (keyKind === 'list' || keyKind === 'dict' || keyKind === 'set') return undefined
  return anyGet(value, key)
}

function indexed(value: Value, index: number): Value | undefined {
  switch (kindOf(value)) {
    case 'list':
      return (value as Value[]).at(index)
    case 'tuple':
      return (value as Tuple).items.at(index)
    case 'str': {
      const text = value as string
      return isPlainText(text) ? text.at(index) : Array.from(text).at(index)
    }
    case 'bytes':
      return (value as Bytes).octets.at(index)
    default:
      return itemOf(value, index)
  }
}

/** `value[start:stop:step]` */
export function getSlice(value: Value, start: Value, stop: Value, step: Value): Value {
  usedUndefined(value)
  for (const bound of [start, stop, step]) {
    if (bound !== null && !isInt(bound)) throw needs('a slice', 'whole numbers', bound)
  }
  const bounds = [start, stop, step] as (number | null)[]
  switch (kindOf(value)) {
    case 'list':
      return sliced(value as Value[], bounds)
    case 'tuple':
      return new Tuple(sliced((value as Tuple).items, bounds))
    case 'str': {
      const text = value as string
      spendText(text.length)
      if (isPlainText(text) && (bounds[2] ?? 1) === 1) return slicedText(text, bounds)
      return sliced(Array.from(text), bounds).join('')
    }
    default:
      throw needs('a slice', 'a list or a str', value)
  }
}

function slicedText(text: string, [start, stop]: readonly (number | null)[]): string {
  return text.slice(start ?? 0, stop ?? undefined)
}

function sliced<T>(items: readonly T[], bounds: readonly (number | bigint | null)[]): T[] {
  const [start, stop, step] = bounds.map((bound) => (bound === null ? null : Number(bound)))
  const stride = step ?? 1
  if (stride === 0) throw failed('the step of a slice cannot be 0')
  spendList(items.length)
  if (stride === 1) return items.slice(start ?? 0, stop ?? items.length)
  const clamp = (bound: number, low: number, high: number) =>
    Math.min(Math.max(bound < 0 ? bound + items.length : bound, low), high)
  const [low, high] = stride > 0 ? [0, items.length] : [-1, items.length - 1]
  const from = start === null || start === undefined ? (stride > 0 ? low : high) : clamp(start, low, high)
  const to = stop === null || stop === undefined ? (stride > 0 ? high : low) : clamp(stop, low, high)
  const taken: T[] = []
  for (let index = from; stride > 0 ? index < to : index > to; index += stride) taken.push(items[index] as T)
  return taken
}
