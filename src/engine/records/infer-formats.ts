/** Sample records → the fields that are dates in every one of them, and their format. */
import type { JsonRecord } from '../plan/plan.ts'
import { parseDate } from '../template/dates/airbyte-format.ts'

/** The first that fits counts. */
const formats = [
  '%Y-%m-%d',
  '%Y-%m-%d %H:%M:%S',
  '%Y-%m-%dT%H:%M:%SZ',
  '%Y-%m-%dT%H:%M:%S.%fZ',
  '%Y-%m-%d %H:%M:%S.%f%z',
  '%Y-%m-%dT%H:%M:%S.%f%z',
  '%s',
  '%ms',
  '%d/%m/%Y %H:%M',
  '%Y-%m',
  '%d-%m-%Y',
] as const

/** No date in any of the formats is longer; texts are, and there are many. */
const longest = 64

export type InferringFormats = { add(record: JsonRecord): void; formats(): Record<string, string> }

/** Airbyte: the first record names the candidates, and every later one must confirm them. */
export function inferFormats(): InferringFormats {
  let candidates: Map<string, string> | null = null
  return {
    add(record) {
      if (candidates === null) {
        candidates = candidatesIn(record)
        return
      }
      for (const [name, format] of candidates) {
        if (!Object.hasOwn(record, name) || !isDate(record[name], format)) candidates.delete(name)
      }
    },
    formats: () => Object.fromEntries(candidates ?? []),
  }
}

function candidatesIn(record: JsonRecord): Map<string, string> {
  const found = new Map<string, string>()
  for (const [name, value] of Object.entries(record)) {
    const format = formats.find((one) => isDate(value, one))
    if (format !== undefined) found.set(name, format)
  }
  return found
}

function isDate(value: unknown, format: string): boolean {
  if (!mayBeDate(value)) return false
  try {
    parseDate(value, format)
    return true
  } catch {
    return false
  }
}

/** Whole numbers count as dates of 2001 to 2033 only, in seconds or milliseconds; others are ids and amounts. */
function mayBeDate(value: unknown): value is string | number {
  if (typeof value === 'string') {
    if (value.length > longest) return false
    return /^\s*[+-]?\d+(_\d+)*\s*$/.test(value) ? isRecent(Number(value.replaceAll('_', ''))) : true
  }
  return typeof value === 'number' && Number.isInteger(value) && isRecent(value)
}

function isRecent(count: number): boolean {
  return (count >= 1e9 && count < 2e9) || (count >= 1e12 && count < 2e12)
}
