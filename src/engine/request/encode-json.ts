/** Values → the text of a body, byte for byte as Python's `requests` writes it, so that signatures and recordings agree. */
import { isPlainObject } from '../../std/values/objects.ts'
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import { Float } from '../../std/json.ts'
import { describeValue, pythonText } from '../template/text.ts'

export function encodeJson(value: unknown, at: SourceLocation): string {
  switch (typeof value) {
    case 'string':
      return asciiJson(value)
    case 'number':
      return encodeNumber(value, at)
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'object':
      return encodeObject(value, at)
    default:
      return 'null'
  }
}

function encodeObject(value: object | null, at: SourceLocation): string {
  if (value === null) return 'null'
  if (value instanceof Float) return encodeNumber(value, at)
  if (value instanceof Map) return encodeMembers([...value], at)
  if (isIterable(value)) return `[${Array.from(value, (item) => encodeJson(item, at)).join(', ')}]`
  if (isPlainObject(value)) return encodeMembers(Object.entries(value), at)
  throw notJson(value, at)
}

function encodeNumber(value: number | Float, at: SourceLocation): string {
  if (!Number.isFinite(Number(value))) throw notJson(value, at)
  return pythonText(value)
}

/** Lists and tuples. */
function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value
}

function encodeMembers(members: readonly [unknown, unknown][], at: SourceLocation): string {
  return `{${members.map(([name, member]) => `${asciiJson(pythonText(name))}: ${encodeJson(member, at)}`).join(', ')}}`
}

function asciiJson(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function notJson(value: unknown, at: SourceLocation): ConnectorError {
  return new ConnectorError('request/invalid-body', `A JSON body cannot hold ${describeValue(value)}.`, { at })
}
