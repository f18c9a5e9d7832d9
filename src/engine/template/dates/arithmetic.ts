/** `+`, `-`, `*`, `/`, `//`, `%` between dates, spans and numbers → the result, or null when they have none. */
import { float } from '../../../std/json.ts'
import { failed, wrongType } from '../trouble.ts'
import { asDouble, isInt, isNumber } from '../values/kind.ts'
import type { Value } from '../values/value.ts'
import { CalendarDate } from './calendar-date.ts'
import { DateTime } from './date-time.ts'
import { addDuration, Duration, subtractDuration } from './duration.ts'
import { fromMicros, microsOf, roundHalfEven, TimeDelta } from './time-delta.ts'

export function dateArithmetic(operator: string, left: Value, right: Value): Value | null {
  switch (operator) {
    case '+':
      return add(left, right) ?? add(right, left)
    case '-':
      return subtract(left, right)
    case '*':
      return multiply(left, right) ?? multiply(right, left)
    case '/':
    case '//':
    case '%':
      return divide(operator, left, right)
    case 'negate':
      return left instanceof TimeDelta || left instanceof Duration ? left.negated() : null
    default:
      return null
  }
}

function add(left: Value, right: Value): Value | null {
  if (!(right instanceof TimeDelta || right instanceof Duration)) return null
  if (left instanceof DateTime || left instanceof CalendarDate) return addDuration(left, right)
  if (left instanceof Duration) return left.plus(right)
  return left instanceof TimeDelta && right instanceof TimeDelta ? left.plus(right) : null
}

function subtract(left: Value, right: Value): Value | null {
  if (left instanceof DateTime && right instanceof DateTime) {
    if ((left.zone === null) !== (right.zone === null))
      throw wrongType('`-` needs a time zone on both datetimes, or on none')
    return left.since(right)
  }
  if (left instanceof CalendarDate && right instanceof CalendarDate) return new TimeDelta(left.days - right.days, 0)
  if (!(right instanceof TimeDelta || right instanceof Duration)) return null
  if (left instanceof DateTime || left instanceof CalendarDate) return subtractDuration(left, right)
  if (left instanceof TimeDelta && right instanceof Duration) return right.negated().plus(left)
  return left instanceof TimeDelta || left instanceof Duration ? add(left, right.negated()) : null
}

function multiply(left: Value, right: Value): Value | null {
  if (!(left instanceof TimeDelta || left instanceof Duration) || !isNumber(right)) return null
  if (left instanceof Duration) {
    if (!isInt(right)) return null
    const factor = Number(right)
    return new Duration(left.years * factor, left.months * factor, left.span.times(BigInt(right)))
  }
  return isInt(right) ? left.times(BigInt(right)) : scaled(left, asDouble(right))
}

function scaled(span: TimeDelta, factor: number): TimeDelta {
  const micros = roundHalfEven(Number(microsOf(span)) * factor)
  if (!Number.isFinite(micros)) throw failed('the time span is too long')
  return fromMicros(BigInt(micros))
}

function divide(operator: '/' | '//' | '%', left: Value, right: Value): Value | null {
  if (!(left instanceof TimeDelta)) return null
  const micros = microsOf(left)
  if (right instanceof TimeDelta) {
    const other = microsOf(right)
    if (other === 0n) throw failed('division by zero')
    if (operator === '/') return float(Number(micros) / Number(other))
    const quotient = floorDivide(micros, other)
    return operator === '//' ? Number(quotient) : fromMicros(micros - quotient * other)
  }
  if (!isNumber(right) || operator === '%') return null
  if (asDouble(right) === 0) throw failed('division by zero')
  if (operator === '/') return scaled(left, 1 / asDouble(right))
  return isInt(right) ? fromMicros(floorDivide(micros, BigInt(right))) : null
}

function floorDivide(left: bigint, right: bigint): bigint {
  const quotient = left / right
  return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient
}
