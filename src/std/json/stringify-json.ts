/** Values that keep every digit → JSON text. */
import { Float, holdsFloat, stringifyPlainly } from './exact-numbers.ts'

/** Writes JSON text. Long numbers keep their digits, whole floats their `.0`. */
export function stringifyJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (leftByHand > 0 && typeof value === 'object') {
    leftByHand--
    return stringifyExactly(value)
  }
  try {
    return stringifyPlainly(value)
  } catch (error) {
    // JSON.stringify throws a TypeError for a bigint, and for a circle: that one ends below as a RangeError.
    if (error !== holdsFloat && !(error instanceof TypeError)) throw error
    leftByHand = mostByHand
    return stringifyExactly(value)
  }
}

/** Records of a stream are alike: after one that JSON.stringify cannot write, the next ones are written by hand at once, which takes less time than its error. */
let leftByHand = 0
const mostByHand = 100

/** By hand, since JSON.stringify cannot write a bigint: three times as fast as collecting parts and joining them. */
function stringifyExactly(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return needsEscape.test(value) ? JSON.stringify(value) : `"${value}"`
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null'
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'object':
      return value === null ? 'null' : stringifyMembers(value)
    default:
      return 'null'
  }
}

const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/

function stringifyMembers(value: object): string {
  if (value instanceof Float) return value.toString()
  if (Array.isArray(value)) return `[${value.map(stringifyExactly).join(',')}]`
  if ('toJSON' in value && typeof value.toJSON === 'function') return stringifyExactly(value.toJSON())
  let text = ''
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || typeof member === 'function') continue
    text += `${text === '' ? '' : ','}${stringifyExactly(name)}:${stringifyExactly(member)}`
  }
  return `{${text}}`
}
