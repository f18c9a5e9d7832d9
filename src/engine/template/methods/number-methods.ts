/** Attributes and methods of int, bool and float. */
import { Float, float, integer } from '../../../std/json.ts'
import { asDouble, isInt, isNumber } from '../values/kind.ts'
import type { Value } from '../values/value.ts'
import { methods } from './method.ts'

export const intMethods = methods<number | bigint | boolean>({
  bit_length: ['', (self) => (Number(self) === 0 ? 0 : BigInt(self).toString(2).replace('-', '').length)],
  conjugate: ['', (self) => integer(BigInt(self))],
})

export const floatMethods = methods<number | Float>({
  is_integer: ['', (self) => Number.isInteger(asDouble(self))],
  conjugate: ['', (self) => self],
})

export function numberAttribute(value: Value, name: string): Value | undefined {
  if (!isNumber(value)) return undefined
  const isWhole = isInt(value)
  switch (name) {
    case 'real':
      return isWhole ? integer(BigInt(value)) : float(asDouble(value))
    case 'imag':
      return isWhole ? 0 : new Float(0)
    case 'numerator':
      return isWhole ? integer(BigInt(value)) : undefined
    case 'denominator':
      return isWhole ? 1 : undefined
    default:
      return undefined
  }
}
