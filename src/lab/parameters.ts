/** What a request says → checked values, or a refusal that names the field. */
import { isObject } from '../std/values/objects.ts'
import { type Question, Refusal } from './exchange.ts'

const pageSizeCap = 1000
const usualPageSize = 100

/** The one value of a parameter. A repeated one is refused: it betrays a client that sends a value from two places. */
export function oneOf(parameters: URLSearchParams, field: string): string | undefined {
  const values = parameters.getAll(field)
  if (values.length > 1) throw new Refusal(400, `${field} is given ${values.length} times; send it once.`, { field })
  return values[0]
}

/** A whole number: digits in a query, header or form, a number in JSON. */
export function readWhole(
  field: string,
  given: unknown,
  { least, most = Number.MAX_SAFE_INTEGER, otherwise }: { least: number; most?: number; otherwise: number },
): number {
  if (given === undefined) return otherwise
  const value = typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most) return value
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`
  throw new Refusal(400, `${field} must be a whole number ${range}; it is ${JSON.stringify(given)}.`, { field })
}

/** A number in a JSON body. Digits in quotes are refused: they betray a client that loses types. */
export function refuseQuoted(field: string, given: unknown): unknown {
  if (typeof given !== 'string') return given ?? undefined
  throw new Refusal(400, `${field} must be a number; it is the text ${JSON.stringify(given)}.`, { field })
}

/** A page size; more than the cap is the cap, as most APIs have it. */
export function readPageSize({ hooks }: Question, field: string, given: unknown): number {
  const limit = Math.min(readWhole(field, given, { least: 1, otherwise: usualPageSize }), pageSizeCap)
  return hooks.limit?.(limit) ?? limit
}

/** A form body. An empty one has no fields. */
export function readForm(question: Question): URLSearchParams {
  expectType(question, 'application/x-www-form-urlencoded')
  return new URLSearchParams(question.body)
}

/** A JSON body, which must be an object. An empty one has no members. */
export function readJsonBody(question: Question): Record<string, unknown> {
  expectType(question, 'application/json')
  return question.body === '' ? {} : objectAt('body', parseBody(question.body))
}

/** A member that must be an object when it is there. */
export function objectAt(field: string, value: unknown): Record<string, unknown> {
  if (value === undefined) return {}
  if (isObject(value)) return value
  throw new Refusal(400, `${field} must be an object.`, { field })
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(400, 'The body is not JSON.', { field: 'body' })
  }
}

function expectType(question: Question, wanted: string): void {
  if (question.body === '') return
  const type = question.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type === wanted) return
  throw new Refusal(415, `The body must be ${wanted}; it is ${type ?? 'of no named type'}.`, { field: 'Content-Type' })
}
