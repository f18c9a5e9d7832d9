/** Python's arithmetic: integers without bounds, floats that stay floats, and the operators of strings and lists. */
import { Float, float, integer } from '../../../std/json.ts'
import { dateArithmetic } from '../dates/arithmetic.ts'
import { maxIntegerBits } from '../limits.ts'
import { spend, spendList, spendText } from '../meter.ts'
import { percentFormat } from '../methods/percent-format.ts'
import { failed, tooMuchWork, wrongType } from '../trouble.ts'
import { Tuple } from './containers.ts'
import { describe } from './describe.ts'
import { asDouble, isInt, isNumber, kindOf } from './kind.ts'
import type { Value } from './value.ts'
import { usedUndefined } from './undefined.ts'

export type Operator = '+' | '-' | '*' | '/' | '//' | '%' | '**'

type Numeric = number | bigint | boolean | Float

export function calculate(operator: Operator, left: Value, right: Value): Value {
  if (typeof left === 'number' && typeof right === 'number') {
    const quick = safeIntegers(operator, left, right)
    if (quick !== null) return quick
  }
  if (isNumber(left) && isNumber(right)) return numbers(operator, left, right)
  return (
    texts(operator, left, right) ??
    lists(operator, left, right) ??
    dateArithmetic(operator, left, right) ??
    refuse(operator, left, right)
  )
}

function refuse(operator: Operator, left: Value, right: Value): never {
  usedUndefined(left)
  usedUndefined(right)
  throw wrongType(`\`${operator}\` cannot join ${describe(left)} and ${describe(right)}`, left, right)
}

function safeIntegers(operator: Operator, left: number, right: number): number | null {
  if (!Number.isSafeInteger(left) || !Number.isSafeInteger(right)) return null
  const result =
    operator === '+' ? left + right : operator === '-' ? left - right : operator === '*' ? left * right : Number.NaN
  return Number.isSafeInteger(result) ? result + 0 : null
}

function numbers(operator: Operator, left: Numeric, right: Numeric): Value {
  if (isInt(left) && isInt(right) && operator !== '/') return integers(operator, BigInt(left), BigInt(right))
  if (operator === '/' && isInt(left) && isInt(right) && (typeof left === 'bigint' || typeof right === 'bigint')) {
    return divideBig(BigInt(left), BigInt(right))
  }
  const [a, b] = [toDouble(left), toDouble(right)]
  switch (operator) {
    case '+':
      return float(a + b)
    case '-':
      return float(a - b)
    case '*':
      return float(a * b)
    case '/':
      return float(a / nonZero(b))
    case '//':
      return float(Math.floor(a / nonZero(b)))
    case '%':
      return float(remainder(a, nonZero(b)))
    case '**':
      return powerOfFloats(a, b)
  }
}

function toDouble(value: Numeric): number {
  const double = asDouble(value)
  if (typeof value === 'bigint' && !Number.isFinite(double)) throw failed('the integer is too large for a float')
  return double
}

function divideBig(left: bigint, right: bigint): Value {
  if (right === 0n) throw failed('division by zero')
  // A quotient of 66 bits and more, its last bit set when something is left over, rounds as the exact one would.
  const shift = Math.max(0, 66 - bits(left) + bits(right))
  const scaled = left << BigInt(shift)
  const quotient = scaled / right
  const sticky = scaled % right === 0n ? quotient : quotient | 1n
  const double = Number(sticky)
  if (!Number.isFinite(double)) throw failed('the quotient is too large for a float')
  return float(shift > 1000 ? double / 2 ** 1000 / 2 ** (shift - 1000) : double / 2 ** shift)
}

function nonZero(value: number): number {
  if (value === 0) throw failed('division by zero')
  return value
}

/** The result has the sign of the divisor. */
function remainder(left: number, right: number): number {
  const rest = left % right
  if (rest === 0) return right < 0 ? -0 : 0
  return rest < 0 === right < 0 ? rest : rest + right
}

function powerOfFloats(base: number, exponent: number): Value {
  if (base === 0 && exponent < 0) throw failed('0.0 cannot be raised to a negative power')
  if (base < 0 && !Number.isInteger(exponent) && Number.isFinite(exponent))
    throw failed('the power is a complex number')
  const result = base ** exponent
  if (!Number.isFinite(result) && Number.isFinite(base) && Number.isFinite(exponent))
    throw failed('the power is too large')
  return float(result)
}

function integers(operator: Operator, left: bigint, right: bigint): Value {
  switch (operator) {
    case '+':
      return bounded(left + right)
    case '-':
      return bounded(left - right)
    case '*':
      spend((bits(left) + bits(right)) >> 8)
      return bounded(left * right)
    case '//':
      return integer(floorDivide(left, right))
    case '%':
      return integer(left - floorDivide(left, right) * right)
    default:
      return power(left, right)
  }
}

function floorDivide(left: bigint, right: bigint): bigint {
  if (right === 0n) throw failed('division by zero')
  const quotient = left / right
  return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient
}

function power(base: bigint, exponent: bigint): Value {
  if (exponent < 0n) return powerOfFloats(Number(base), Number(exponent))
  if (base >= -1n && base <= 1n)
    return integer(base ** (exponent % 2n === 0n && exponent > 0n ? 2n : exponent === 0n ? 0n : 1n))
  if (BigInt(bits(base)) * exponent > BigInt(maxIntegerBits)) throw tooMuchWork('makes an integer that is too long')
  spend(Number(BigInt(bits(base)) * exponent) >> 6)
  return integer(base ** exponent)
}

function bounded(value: bigint): Value {
  const short = integer(value)
  if (typeof short === 'bigint' && bits(short) > maxIntegerBits) throw tooMuchWork('makes an integer that is too long')
  return short
}

/** About how many bits an integer takes, cheaply. */
function bits(value: bigint): number {
  const double = Math.abs(Number(value))
  return Number.isFinite(double) ? Math.ceil(Math.log2(double + 1)) : value.toString(16).length * 4
}

function texts(operator: Operator, left: Value, right: Value): Value | null {
  if (typeof left === 'string' && operator === '%') return percentFormat(left, right)
  if (typeof left === 'string' && typeof right === 'string' && operator === '+') {
    spendText(left.length + right.length)
    return left + right
  }
  if (operator !== '*') return null
  if (typeof left === 'string' && isInt(right)) return repeatText(left, Number(right))
  if (typeof right === 'string' && isInt(left)) return repeatText(right, Number(left))
  return null
}

function repeatText(text: string, times: number): string {
  if (times <= 0 || text === '') return ''
  spendText(text.length * times)
  return text.repeat(times)
}

function lists(operator: Operator, left: Value, right: Value): Value | null {
  if (operator === '+') {
    if (Array.isArray(left) && Array.isArray(right)) return joinLists(left, right)
    if (left instanceof Tuple && right instanceof Tuple) return new Tuple(joinLists(left.items, right.items))
    return null
  }
  if (operator !== '*') return null
  if (isInt(left)) return kindOf(right) === 'list' || right instanceof Tuple ? lists('*', right, left) : null
  if (!isInt(right)) return null
  if (Array.isArray(left)) return repeatList(left, Number(right))
  return left instanceof Tuple ? new Tuple(repeatList(left.items, Number(right))) : null
}

function joinLists(left: readonly Value[], right: readonly Value[]): Value[] {
  spendList(left.length + right.length)
  return [...left, ...right]
}

function repeatList(items: readonly Value[], times: number): Value[] {
  if (times <= 0 || items.length === 0) return []
  spendList(items.length * times)
  return Array.from({ length: items.length * times }, (_, index) => items[index % items.length] as Value)
}

/** `-x` and `+x` */
export function signed(operator: '-' | '+', value: Value): Value {
  if (isInt(value)) return integer(operator === '-' ? -BigInt(value) : BigInt(value))
  if (isNumber(value)) return float(operator === '-' ? -asDouble(value) : asDouble(value))
  usedUndefined(value)
  const dated = operator === '-' ? dateArithmetic('negate', value, null) : null
  if (dated !== null) return dated
  throw wrongType(`\`${operator}\` needs a number, not ${describe(value)}`, value)
}
