/** Python's `==`, `<`, truth and `in`. */
import { Float } from '../../../std/json.ts'
import { CalendarDate } from '../dates/calendar-date.ts'
import { DateTime } from '../dates/date-time.ts'
import { Duration } from '../dates/duration.ts'
import { TimeDelta } from '../dates/time-delta.ts'
import type { Zone } from '../dates/zone.ts'
import { AttributedDict } from '../host.ts'
import { maxValueDepth } from '../limits.ts'
import { spend } from '../meter.ts'
import { tooMuchWork, wrongType } from '../trouble.ts'
import type { Bytes, DictView, PySet, Tuple } from './containers.ts'
import { describe } from './describe.ts'
import { anyGet, asDict, type Dict, dictEntries, dictGet, dictSize, isEmptyDict } from './dict.ts'
import { iterate } from './iterate.ts'
import { asDouble, isNumber, kindOf } from './kind.ts'
import type { Value } from './value.ts'
import { usedUndefined } from './undefined.ts'

export function truthy(value: Value): boolean {
  switch (typeof value) {
    case 'boolean':
      return value
    case 'string':
      return value !== ''
    case 'number':
      return value !== 0
    case 'bigint':
      return value !== 0n
  }
  switch (kindOf(value)) {
    case 'none':
    case 'undefined':
      return false
    case 'float':
      return (value as Float).value !== 0
    case 'list':
      return (value as Value[]).length > 0
    case 'tuple':
    case 'set':
      return (value as Tuple | PySet).items.length > 0
    case 'dict':
      return !isEmptyDict(value as Dict)
    case 'mapping':
      return mappingTruth(value)
    case 'view':
      return dictSize((value as DictView).dict) > 0
    case 'bytes':
      return (value as Bytes).octets.length > 0
    case 'timedelta':
      return (value as TimeDelta).days !== 0 || (value as TimeDelta).micros !== 0
    default:
      return true
  }
}

// Airbyte: a slice with extra fields is true even when it has no other.
function mappingTruth(value: Value): boolean {
  const entries = asDict(value)
  if (entries !== null && dictSize(entries) > 0) return true
  const extra = value instanceof AttributedDict ? value.attributes['extra_fields'] : undefined
  return extra !== undefined && extra !== null && truthy(extra as Value)
}

export function equals(left: Value, right: Value, depth = 0): boolean {
  if (left === right) return !Number.isNaN(left)
  if (isNumber(left)) return isNumber(right) && compareNumbers(left, right) === 0
  if (typeof left === 'string' || left === null || right === null) return false
  spend(0.1)
  if (depth > maxValueDepth) throw tooMuchWork('compares values nested too deeply')
  const kind = kindOf(left)
  if (kind === 'mapping' || kind === 'dict') return dictsEqual(left, right, depth)
  if (kind !== kindOf(right)) return false
  switch (kind) {
    case 'list':
      return itemsEqual(left as Value[], right as Value[], depth)
    case 'tuple':
      return itemsEqual((left as Tuple).items, (right as Tuple).items, depth)
    case 'set':
      return setsEqual((left as PySet).items, (right as PySet).items)
    case 'undefined':
      return true
    case 'datetime':
      return dateTimesEqual(left as DateTime, right as DateTime)
    case 'date':
      return (left as CalendarDate).days === (right as CalendarDate).days
    case 'timedelta':
      return (left as TimeDelta).compare(right as TimeDelta) === 0
    case 'duration':
      return durationsEqual(left as Duration, right as Duration)
    case 'zone':
      return (left as Zone).offsetSeconds === (right as Zone).offsetSeconds
    case 'bytes':
      return String((left as Bytes).octets) === String((right as Bytes).octets)
    case 'view':
      return itemsEqual([...iterate(left)], [...iterate(right)], depth)
    default:
      return false
  }
}

function itemsEqual(left: readonly Value[], right: readonly Value[], depth: number): boolean {
  return left.length === right.length && left.every((item, index) => same(item, right[index] as Value, depth + 1))
}

/** Members of containers are equal when they are the same thing, too: `[nan] == [nan]`. */
export function same(left: Value, right: Value, depth = 0): boolean {
  return left === right || equals(left, right, depth)
}

function dictsEqual(left: Value, right: Value, depth: number): boolean {
  const [ours, theirs] = [asDict(left), asDict(right)]
  if (ours === null || theirs === null || dictSize(ours) !== dictSize(theirs)) return false
  return dictEntries(ours).every(([key, value]) => {
    const other = dictGet(theirs, key)
    return other !== undefined && same(value, other, depth + 1)
  })
}

function setsEqual(left: readonly Value[], right: readonly Value[]): boolean {
  return left.length === right.length && left.every((item) => right.some((other) => same(item, other)))
}

function dateTimesEqual(left: DateTime, right: DateTime): boolean {
  if ((left.zone === null) !== (right.zone === null)) return false
  return !truthy(left.since(right))
}

function monthsOf(duration: Duration): number {
  return duration.years * 12 + duration.months
}

function durationsEqual(left: Duration, right: Duration): boolean {
  return monthsOf(left) === monthsOf(right) && left.span.compare(right.span) === 0
}

type Numeric = number | bigint | boolean | Float

/** Below, at or above 0; NaN when the two have no order. Exact also between bigints and doubles. */
export function compareNumbers(left: Numeric, right: Numeric): number {
  const [a, b] = [primitive(left), primitive(right)]
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.NaN
  return a < b ? -1 : a > b ? 1 : 0
}

function primitive(value: Numeric): number | bigint {
  return typeof value === 'bigint' ? value : asDouble(value)
}

/** Python orders strings by code point, JavaScript by code unit. */
function compareTexts(left: string, right: string): number {
  if (left === right) return 0
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    const [a, b] = [left.charCodeAt(index), right.charCodeAt(index)]
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1
  }
  return left.length - right.length
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}

/** Below, at or above 0, as Python orders the two. Throws where Python has no order. */
export function compare(left: Value, right: Value, sign = '<'): number {
  if (isNumber(left) && isNumber(right)) return compareNumbers(left, right)
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right)
  usedUndefined(left)
  usedUndefined(right)
  const kind = kindOf(left)
  if (kind === kindOf(right)) {
    spend(0.1)
    switch (kind) {
      case 'list':
        return compareItems(left as Value[], right as Value[], sign)
      case 'tuple':
        return compareItems((left as Tuple).items, (right as Tuple).items, sign)
      case 'date':
        return (left as CalendarDate).days - (right as CalendarDate).days
      case 'timedelta':
        return (left as TimeDelta).compare(right as TimeDelta)
      case 'datetime':
        if (((left as DateTime).zone === null) !== ((right as DateTime).zone === null)) break
        return (left as DateTime).since(right as DateTime).compare(new TimeDelta(0, 0))
      case 'set':
        return compareSets((left as PySet).items, (right as PySet).items)
    }
  }
  throw wrongType(`\`${sign}\` cannot compare ${describe(left)} with ${describe(right)}`, left, right)
}

function compareItems(left: readonly Value[], right: readonly Value[], sign: string): number {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    const [a, b] = [left[index] as Value, right[index] as Value]
    if (!same(a, b)) return compare(a, b, sign)
  }
  return left.length - right.length
}

function isWithin(some: readonly Value[], all: readonly Value[]): boolean {
  return some.every((a) => all.some((b) => same(a, b)))
}

/** `<` between sets means "is part of"; sets that are neither have no order. */
function compareSets(left: readonly Value[], right: readonly Value[]): number {
  const [isPart, isWhole] = [isWithin(left, right), isWithin(right, left)]
  if (isPart && isWhole) return 0
  return isPart ? -1 : isWhole ? 1 : Number.NaN
}

/** `needle in haystack` */
export function contains(haystack: Value, needle: Value): boolean {
  switch (kindOf(haystack)) {
    case 'str':
      if (typeof needle === 'string') return (haystack as string).includes(needle)
      throw wrongType(`\`in\` a str needs a str, not ${describe(needle)}`, needle)
    case 'dict':
      return dictGet(haystack as Dict, needle) !== undefined
    case 'mapping':
      return anyGet(haystack, needle) !== undefined
    case 'view':
      if ((haystack as DictView).of === 'keys') return dictGet((haystack as DictView).dict, needle) !== undefined
  }
  for (const item of iterate(haystack)) {
    spend(0.1)
    if (same(item, needle)) return true
  }
  return false
}
