/** KeysToLower, KeysToSnakeCase, KeysReplace: a record whose fields have other names. */
import anyAscii from 'any-ascii'
import type { JsonRecord } from '../plan/plan.ts'
import type { ReplaceInKeysPlan } from '../plan/transformations.ts'
import type { Scope } from '../template/template.ts'
import { pythonText } from '../template/text.ts'
import { isObject, type Members } from '../../std/values/objects.ts'

/** Airbyte: the record's own fields only. Where two names become one, the one that was lower case before gives way. */
export function keysToLower(record: JsonRecord): JsonRecord {
  const entries = Object.entries(record)
  const lower = entries.map(([name, value]) => [name.toLowerCase(), value] as const)
  const changed = lower.filter(([name], index) => name !== entries[index]?.[0])
  return changed.length === 0 ? record : Object.fromEntries([...lower, ...changed])
}

export function keysToSnakeCase(record: JsonRecord): JsonRecord {
  return renameKeys(record, snakeCase)
}

export function replaceInKeys(plan: ReplaceInKeysPlan, record: JsonRecord, scope: Scope): JsonRecord {
  const inner = { ...scope, parameters: plan.parameters, record }
  const old = pythonText(plan.old.evaluate(inner))
  const replacement = pythonText(plan.new.evaluate(inner))
  return renameKeys(record, (name) => name.replaceAll(old, () => replacement))
}

/** Objects inside objects are renamed too, those in lists are not. Where two names become one, the later value stays. */
function renameKeys(members: Members, rename: (name: string) => string): JsonRecord {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [rename(name), isObject(value) ? renameKeys(value, rename) : value]),
  )
}

const word = /[A-Z]+[a-z]*|[a-z]+|\d+|[^a-zA-Z\d]+/g

/** `HTTPServer2` → `http_server_2`. What separates words is dropped, but leaves its underscore at either end. */
export function snakeCase(name: string): string {
  const words = (anyAscii(name).match(word) ?? []).map((found) => (/[a-zA-Z\d]/.test(found) ? found.toLowerCase() : ''))
  const kept = words.filter((found, index) => found !== '' || index === 0 || index === words.length - 1)
  const startsWithDigit = /^\d/.test(kept[0] ?? '')
  return (startsWithDigit ? ['', ...kept] : kept).join('_')
}
