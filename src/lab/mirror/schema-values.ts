/** A JSON schema → a value that fits it. */
import { dateText, now } from './calendar.ts'
import { isObject } from '../../std/values/objects.ts'

const maxDepth = 3

/** Undefined where the schema leaves everything open. */
export function valueFor(schema: unknown, name = '', depth = 0): unknown {
  if (!isObject(schema)) return undefined
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum.find((value) => value !== null)
  const branch = [schema.oneOf, schema.anyOf].flat().find((one) => isObject(one) && one.type !== 'null')
  if (branch !== undefined) return valueFor(branch, name, depth)
  switch (typeIn(schema)) {
    case 'object':
      return objectFor(schema, depth)
    case 'array':
      return depth >= maxDepth ? [] : [valueFor(schema.items, name, depth + 1)].filter((item) => item !== undefined)
    case 'integer':
      return 7
    case 'number':
      return 7.5
    case 'boolean':
      return true
    case 'string':
      return textFor(schema, name)
    default:
      return undefined
  }
}

function objectFor(schema: Record<string, unknown>, depth: number): Record<string, unknown> {
  if (depth >= maxDepth || !isObject(schema.properties)) return {}
  const members = Object.entries(schema.properties).map(
    ([name, member]) => [name, valueFor(member, name, depth + 1)] as const,
  )
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

function textFor({ format }: Record<string, unknown>, name: string): string {
  const isMoment = /(?:_at|_on|date|time|timestamp)$/i.test(name)
  if (/time_?zone/i.test(name)) return 'UTC'
  if (format === 'date') return dateText(now, '%Y-%m-%d')
  if (format === 'date-time' || isMoment) return dateText(now, '%Y-%m-%dT%H:%M:%SZ')
  return format === 'uri' || /url$/i.test(name) ? 'https://acme.example.com/a' : `some ${name || 'text'}`
}

export function typeIn(schema: unknown): unknown {
  if (!isObject(schema)) return undefined
  const { type } = schema
  return Array.isArray(type) ? type.find((one) => one !== 'null') : type
}
