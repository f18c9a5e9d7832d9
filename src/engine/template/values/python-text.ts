/** A value → Python's `str()` and `repr()` of it. */
import type { Float } from '../../../std/json.ts'
import type { CalendarDate } from '../dates/calendar-date.ts'
import type { DateTime } from '../dates/date-time.ts'
import type { Duration } from '../dates/duration.ts'
import type { TimeDelta } from '../dates/time-delta.ts'
import type { Zone } from '../dates/zone.ts'
import { maxIntegerDigits, maxValueDepth } from '../limits.ts'
import { spend, spendText } from '../meter.ts'
import { failed, tooMuchWork } from '../trouble.ts'
import type { Bytes, DictView, Generator, Namespace, PySet, Tuple } from './containers.ts'
import { dictEntries, mappingEntries } from './dict.ts'
import { formatFloat } from './float-text.ts'
import { pythonQuoted, quotedBytes } from './quoted.ts'
import { iterate } from './iterate.ts'
import { kindOf } from './kind.ts'
import type { PlainDict, Value } from './value.ts'
import { Callable } from './callable.ts'

export function str(value: Value): string {
  if (typeof value === 'string') return value
  switch (kindOf(value)) {
    case 'undefined':
      return ''
    case 'datetime':
    case 'date':
    case 'timedelta':
    case 'duration':
      return (value as DateTime | CalendarDate | TimeDelta | Duration).toString()
    case 'zone':
      return (value as Zone).name
    default:
      return repr(value)
  }
}

/** The text of a number, or of True, False and None. */
function scalar(value: null | boolean | number | bigint | Float): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'bigint') return integerText(value)
  return Number.isSafeInteger(value) ? String(value) : formatFloat(Number(value))
}

function integerText(value: bigint): string {
  const text = value.toString()
  if (text.length > maxIntegerDigits + 1) throw failed(`an integer of more than ${maxIntegerDigits} digits has no text`)
  return text
}

export function repr(value: Value, depth = 0): string {
  spend(0.1)
  if (depth > maxValueDepth) throw tooMuchWork('prints a value nested too deeply')
  switch (kindOf(value)) {
    case 'none':
    case 'bool':
    case 'int':
    case 'float':
      return scalar(value as null | boolean | number | bigint | Float)
    case 'str':
      spendText((value as string).length)
      return pythonQuoted(value as string)
    case 'list':
      return `[${all(value as Value[], depth)}]`
    case 'tuple': {
      const { items, shape } = value as Tuple
      if (shape !== null && shape.type !== '') {
        return `${shape.type}(${items.map((item, index) => `${shape.names[index]}=${repr(item, depth + 1)}`).join(', ')})`
      }
      return items.length === 1 ? `(${all(items, depth)},)` : `(${all(items, depth)})`
    }
    case 'set': {
      const { items } = value as PySet
      return items.length === 0 ? 'set()' : `{${all(items, depth)}}`
    }
    case 'dict':
      return entriesText(dictEntries(value as Map<Value, Value> | PlainDict), depth)
    case 'mapping':
      return entriesText(mappingEntries(value), depth)
    default:
      return objectText(value, depth)
  }
}

function all(items: readonly Value[], depth: number): string {
  return joined(items.map((item) => repr(item, depth + 1)))
}

function entriesText(entries: readonly (readonly [Value, Value])[], depth: number): string {
  return `{${joined(entries.map(([key, value]) => `${repr(key, depth + 1)}: ${repr(value, depth + 1)}`))}}`
}

// Lists that hold each other double with every level; the length is reserved before the text is made.
function joined(parts: readonly string[]): string {
  let length = 0
  for (const part of parts) length += part.length + 2
  spendText(length)
  return parts.join(', ')
}

function objectText(value: Value, depth: number): string {
  switch (kindOf(value)) {
    case 'bytes':
      return quotedBytes((value as Bytes).octets)
    case 'ellipsis':
      return 'Ellipsis'
    case 'undefined':
      return 'Undefined'
    case 'datetime':
      return dateTimeText(value as DateTime)
    case 'date': {
      const { year, month, day } = (value as CalendarDate).civil
      return `datetime.date(${year}, ${month}, ${day})`
    }
    case 'timedelta':
      return timeDeltaText(value as TimeDelta)
    case 'duration': {
      const { span, years, months } = value as Duration
      return `isodate.duration.Duration(${span.days}, ${span.seconds}, ${span.microseconds}, years=${years}, months=${months})`
    }
    case 'zone':
      return (value as Zone).text
    case 'namespace':
      return `<Namespace ${entriesText([...(value as Namespace).entries], depth)}>`
    case 'view': {
      const view = value as DictView
      return `dict_${view.of}([${all([...iterate(view)], depth)}])`
    }
    case 'generator':
      return `<generator object ${(value as Generator).name}>`
    default:
      return value instanceof Callable ? value.text() : '<function>'
  }
}

function dateTimeText(value: DateTime): string {
  const { year, month, day } = value.civil
  const { hour, minute, second, microsecond } = value.clock
  const parts = [year, month, day, hour, minute]
  if (second !== 0 || microsecond !== 0) parts.push(second)
  if (microsecond !== 0) parts.push(microsecond)
  const zone = value.zone === null ? '' : `, tzinfo=${value.zone.text}`
  return `datetime.datetime(${parts.join(', ')}${zone})`
}

function timeDeltaText(value: TimeDelta): string {
  const parts = [
    ['days', value.days],
    ['seconds', value.seconds],
    ['microseconds', value.microseconds],
  ] as const
  const shown = parts.filter(([, part]) => part !== 0).map(([name, part]) => `${name}=${part}`)
  return `datetime.timedelta(${shown.length === 0 ? '0' : shown.join(', ')})`
}
