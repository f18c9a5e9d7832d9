/** Column types, and how a column is widened to hold another value. Widening loses nothing. */
import { Float, LongDecimal } from '../../std/json.ts'

/**
 * `int`: whole numbers that a double holds exactly. `bigint`: those of 64 bits. `decimal`: any number of up to 16,383
 * digits, each of them. `timestamp` has no zone, `timestamptz` is an instant; both to the microsecond. `json`: objects
 * and lists. `text`: anything; what is not a string is written as JSON.
 */
export type ColumnType =
  | 'boolean'
  | 'int'
  | 'bigint'
  | 'double'
  | 'decimal'
  | 'date'
  | 'timestamp'
  | 'timestamptz'
  | 'json'
  | 'text'

/** Postgres refuses more digits after the decimal point; before it, it accepts eight times as many. */
const longestDecimal = 16_383
const longest = 10n ** BigInt(longestDecimal)

/** The narrowest type of a value. Strings are text: only a schema makes dates of them. */
export function typeOfValue(value: unknown): ColumnType {
  switch (typeof value) {
    case 'boolean':
      return 'boolean'
    case 'number':
      return Number.isSafeInteger(value) ? 'int' : 'double'
    case 'bigint':
      if (value === BigInt.asIntN(64, value)) return 'bigint'
      return value < longest && value > -longest ? 'decimal' : 'text'
    case 'object':
      if (value instanceof LongDecimal) return value.digits.length <= longestDecimal ? 'decimal' : 'text'
      return value instanceof Float ? 'double' : 'json'
    default:
      return 'text'
  }
}

/** Whether a column of this type holds the value unchanged. Every column holds null. */
export function fits(type: ColumnType, value: unknown): boolean {
  switch (type) {
    case 'text':
      return true
    case 'date':
    case 'timestamp':
    case 'timestamptz':
      return typeof value === 'string' && isTime(type, value)
    default: {
      const narrow = typeOfValue(value)
      return narrow === type || join(narrow, type) === type
    }
  }
}

/** The narrowest type that holds the values of both. */
export function join(one: ColumnType, other: ColumnType): ColumnType {
  if (one === other) return one
  if (!isNumber(one) || !isNumber(other)) return 'text'
  if (one === 'int') return other
  if (other === 'int') return one
  // A 64-bit integer and a fraction have no type in common but the one that keeps digits.
  return 'decimal'
}

function isNumber(type: ColumnType): boolean {
  return type === 'int' || type === 'bigint' || type === 'double' || type === 'decimal'
}

/** The type of a string that a schema declares to be a time; text when it is not a time, or is finer than a microsecond. */
export function typeOfTime(text: string): ColumnType {
  return times.find((type) => isTime(type, text)) ?? 'text'
}

const times = ['timestamptz', 'timestamp', 'date'] as const

export function isTimeType(type: ColumnType): boolean {
  return times.some((one) => one === type)
}

const day = String.raw`(\d{4})-(\d\d)-(\d\d)`
const time = String.raw`([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.\d{1,6})?)?`
const patterns = {
  date: new RegExp(`^${day}$`),
  timestamp: new RegExp(`^${day}[T ]${time}$`),
  timestamptz: new RegExp(`^${day}[T ]${time} ?(?:Z|[+-](?:0\\d|1[0-5])(?::?[0-5]\\d)?)$`),
}

function isTime(type: keyof typeof patterns, text: string): boolean {
  const [, year, month, dayOfMonth] = patterns[type].exec(text) ?? []
  if (year === undefined || year === '0000') return false
  return isDay(Number(year), Number(month), Number(dayOfMonth))
}

/** Databases refuse the thirtieth of February; it stays text. */
function isDay(year: number, month: number, dayOfMonth: number): boolean {
  if (month < 1 || month > 12 || dayOfMonth < 1) return false
  if (dayOfMonth <= 28) return true
  return dayOfMonth <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate()
}
