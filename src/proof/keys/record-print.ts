/** A record → a hash that changes when the record does, much cheaper than writing it as JSON. */
import type { JsonRecord } from '../../engine/plan/plan.ts'
import { stir } from '../../std/hashing/hash.ts'

/** Fields hashed, and letters of each: a changed record nearly always differs in one of them. */
const fieldsSeen = 16
const lettersSeen = 16
/** Within the objects and lists of a record, all together: JSON:API keeps everything but the key in one. */
const innerSeen = 32
let innerLeft = 0

export function printOf(record: JsonRecord, cursorField: string | undefined): number {
  innerLeft = innerSeen
  let print = cursorField === undefined ? 0 : mixed(0, record[cursorField])
  let fields = 0
  for (const name in record) {
    if (++fields > fieldsSeen) break
    print = mixed(print, record[name])
  }
  return stir(print)
}

function mixed(print: number, value: unknown): number {
  switch (typeof value) {
    case 'string':
      return mixedText(print, value)
    case 'number':
      return (value | 0) === value ? mix(print, value) : mixedDouble(print, value)
    case 'bigint':
      return mixedText(print, String(value))
    case 'boolean':
      return mix(print, value ? 1 : 2)
    case 'object':
      return value === null ? mix(print, 0) : mixedInner(print, value as JsonRecord)
    default:
      return mix(print, 0)
  }
}

function mixedInner(print: number, inner: JsonRecord): number {
  let mixture = mix(print, 3)
  for (const name in inner) {
    if (--innerLeft < 0) break
    mixture = mixed(mixture, inner[name])
  }
  return mixture
}

/** All of its bits, so that decimals count too. */
function mixedDouble(print: number, value: number): number {
  double[0] = value
  return mix(mix(print, halves[0] as number), halves[1] as number)
}

const double = new Float64Array(1)
const halves = new Int32Array(double.buffer)

/** Four letters at a time, from the end: versions, times and numbers change there more often. */
function mixedText(print: number, text: string): number {
  const { length } = text
  let mixture = mix(print, length)
  let index = Math.max(0, length - lettersSeen)
  for (; index + 3 < length; index += 4) {
    const letters =
      text.charCodeAt(index) ^
      (text.charCodeAt(index + 1) << 8) ^
      (text.charCodeAt(index + 2) << 16) ^
      (text.charCodeAt(index + 3) << 24)
    mixture = mix(mixture, letters)
  }
  for (; index < length; index++) mixture = mix(mixture, text.charCodeAt(index))
  return mixture
}

/** The turn brings high bits down: a product only carries them up. */
function mix(print: number, bits: number): number {
  return Math.imul(((print << 13) | (print >>> 19)) ^ bits, 0x9e3779b1)
}
