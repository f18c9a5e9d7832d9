/** A value → its type and a shortened glimpse, for error messages: never a whole response. */
import { Float } from '../../../std/json.ts'
import { kindOf, typeName } from './kind.ts'

const glimpse = 40

export function describe(value: unknown): string {
  switch (kindOf(value)) {
    case 'none':
      return 'None'
    case 'bool':
      return value === true ? 'True' : 'False'
    case 'str':
      return `str ${shorten(value as string)}`
    case 'int':
    case 'float':
      return `${typeName(value)} ${shortNumber(value as number | bigint | Float)}`
    case 'list':
      return `list of ${(value as unknown[]).length}`
    case 'undefined':
      return 'an undefined value'
    case 'dict':
      return describeKeys('dict', value instanceof Map ? [...value.keys()] : Object.keys(value as object))
    default:
      return typeName(value)
  }
}

export function shorten(text: string, length = glimpse): string {
  const shown = text.length > length ? `${text.slice(0, length)}…` : text
  return JSON.stringify(shown)
}

function shortNumber(value: number | bigint | Float): string {
  const text = value.toString()
  return text.length > glimpse ? `${text.slice(0, glimpse)}…` : text
}

function describeKeys(type: string, keys: readonly unknown[]): string {
  if (keys.length === 0) return `an empty ${type}`
  const shown = keys.slice(0, 5).map((key) => (typeof key === 'string' ? key.slice(0, glimpse) : typeName(key)))
  return `${type} with ${shown.join(', ')}${keys.length > 5 ? ', …' : ''}`
}
