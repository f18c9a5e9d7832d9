/** Dicts, whatever holds them: looked up, listed and copied by Python's rules for keys. */
import { setMember } from '../../../std/values/set-member.ts'
import { AttributedDict, HeaderDict } from '../host.ts'
import { spend } from '../meter.ts'
import { wrongType } from '../trouble.ts'
import { describe } from './describe.ts'
import { equals } from './equality.ts'
import { kindOf } from './kind.ts'
import type { PlainDict, Value } from './value.ts'

export type Dict = Map<Value, Value> | PlainDict

export const hasOwn: (target: object, key: string) => boolean = Object.hasOwn

/** The member, or undefined when there is none. Throws when the key cannot be one. */
export function dictGet(dict: Dict, key: Value): Value | undefined {
  if (dict instanceof Map) return mapGet(dict, key)
  if (typeof key === 'string') return hasOwn(dict, key) ? (dict[key] as Value | undefined) : undefined
  hashable(key)
  return undefined
}

function mapGet(map: ReadonlyMap<Value, Value>, key: Value): Value | undefined {
  const held = mapKey(map, key)
  return held === undefined ? undefined : map.get(held)
}

/** The key under which the map holds an equal key: in Python 1, 1.0 and True are one. */
function mapKey(map: ReadonlyMap<Value, Value>, key: Value): Value | undefined {
  if (typeof key === 'string') return map.has(key) ? key : undefined
  hashable(key)
  if (map.has(key)) return key
  for (const held of map.keys()) {
    if (typeof held === 'string') continue
    spend(0.1)
    if (equals(held, key)) return held
  }
  return undefined
}

export function mapSet(map: Map<Value, Value>, key: Value, value: Value): void {
  map.set(mapKey(map, key) ?? key, value)
}

export function mapDelete(map: Map<Value, Value>, key: Value): void {
  const held = mapKey(map, key)
  if (held !== undefined) map.delete(held)
}

/** Lists, dicts and sets cannot be keys. */
export function hashable(key: Value): void {
  switch (kindOf(key)) {
    case 'list':
    case 'dict':
    case 'set':
      throw wrongType(`${describe(key)} cannot be a key`)
    case 'tuple':
      for (const item of key as Iterable<Value>) hashable(item)
  }
}

export function dictSize(dict: Dict): number {
  return dict instanceof Map ? dict.size : dictKeys(dict).length
}

/** Lists no keys: every record may be asked. */
export function isEmptyDict(dict: Dict): boolean {
  if (dict instanceof Map) return dict.size === 0
  for (const key in dict) if (dict[key] !== undefined && Object.hasOwn(dict, key)) return false
  return true
}

export function dictKeys(dict: Dict): Value[] {
  if (dict instanceof Map) return [...dict.keys()]
  return Object.keys(dict).filter((key) => dict[key] !== undefined)
}

export function dictEntries(dict: Dict): [Value, Value][] {
  if (dict instanceof Map) return [...dict]
  return Object.entries(dict).filter(([, value]) => value !== undefined) as [Value, Value][]
}

/** The entries of a host mapping, as a dict. */
export function mappingDict(value: unknown): PlainDict {
  if (value instanceof AttributedDict || value instanceof HeaderDict) return value.entries
  return {}
}

export function mappingEntries(value: unknown): [Value, Value][] {
  return dictEntries(mappingDict(value))
}

/** One member of a host mapping. */
export function mappingGet(value: AttributedDict | HeaderDict, key: Value): Value | undefined {
  if (typeof key !== 'string') return undefined
  const name = value instanceof HeaderDict ? value.keyOf(key) : key
  return name === null ? undefined : dictGet(value.entries, name)
}

/** What a mapping of any make holds under a key; undefined when it does not. */
export function anyGet(value: Value, key: Value): Value | undefined {
  if (value instanceof AttributedDict || value instanceof HeaderDict) return mappingGet(value, key)
  return dictGet(value as Dict, key)
}

/** A dict or host mapping → a dict; anything else → null. */
export function asDict(value: Value): Dict | null {
  switch (kindOf(value)) {
    case 'dict':
      return value as Dict
    case 'mapping':
      return mappingDict(value)
    default:
      return null
  }
}

export function mapOf(entries: Iterable<readonly [Value, Value]>): Map<Value, Value> {
  const map = new Map<Value, Value>()
  for (const [key, value] of entries) mapSet(map, key, value)
  return map
}

/** A dict a template made → a plain object, when all its keys are strings. */
export function plainDict(map: ReadonlyMap<Value, Value>): PlainDict | null {
  const plain: Record<string, unknown> = {}
  for (const [key, value] of map) {
    if (typeof key !== 'string') return null
    setMember(plain, key, value)
  }
  return plain
}
