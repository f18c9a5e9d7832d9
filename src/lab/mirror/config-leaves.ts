/** A field of a config that holds no others → a value that its schema takes. */
import { dateText, now, start } from './calendar.ts'
import type { DateFormats } from './config-dates.ts'
import { sampleOf } from './pattern-sample.ts'

export type Schema = Readonly<Record<string, unknown>>

export function typeOf(schema: Schema): unknown {
  if (Array.isArray(schema.type)) return schema.type.find((type) => type !== 'null')
  return schema.type ?? (schema.properties === undefined ? 'string' : 'object')
}

export function numberOf(schema: Schema, given: unknown): number {
  const { minimum = 0, maximum = Number.POSITIVE_INFINITY } = schema as { minimum?: number; maximum?: number }
  const wanted = given === undefined || given === '' ? Number.NaN : Number(given)
  const value = Number.isFinite(wanted) ? wanted : 10
  return Math.min(maximum, Math.max(minimum, value))
}

export function textOf(name: string, schema: Schema, given: unknown): string {
  const pattern = typeof schema.pattern === 'string' ? schema.pattern : null
  const candidates = [given, nameLike(name)].filter((value) => value !== undefined && value !== '').map(String)
  if (pattern === null) return candidates[0] ?? 'acme'
  return candidates.find((text) => matches(pattern, text)) ?? sampleOf(pattern) ?? 'acme'
}

/** Distinct per field, so that no two secrets look alike. */
function nameLike(name: string): string {
  if (/e?mail/i.test(name)) return 'someone@acme.example.com'
  return `${name.replaceAll(/[^a-z]/gi, '').toLowerCase()}x1`
}

export function dateOf(name: string, schema: Schema, formats: DateFormats): unknown {
  const at = isEnd(name) ? now : start
  const texts = (formats.get(name) ?? []).map((format) => dateText(at, format))
  const pattern = typeof schema.pattern === 'string' ? schema.pattern : null
  const text = texts.find((one) => pattern === null || matches(pattern, one)) ?? texts[0] ?? dateText(at, '%Y-%m-%d')
  return typeOf(schema) === 'integer' ? Number(text) : text
}

function isEnd(name: string): boolean {
  return /end|until|before|stop|(?:^|_)to(?:_|$)/i.test(name)
}

export function firstExample({ examples, example }: Schema): unknown {
  return Array.isArray(examples) ? (examples as unknown[])[0] : (example ?? examples)
}

function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return true
  }
}
