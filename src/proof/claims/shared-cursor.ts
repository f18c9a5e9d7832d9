/** The cursor of a manifest → whether several records may have the same one, so that a page which starts after it skips some. */
import type { PaginationPlan } from '../../engine/plan/pagination.ts'
import { idNames, type KeyPaths } from '../keys/assumed-key.ts'
import { cursorFieldOf } from './declared/cursor-templates.ts'

/** Made of records, by `last_record` or as the last member of a list in the answer. */
export function isOfRecords(pagination: PaginationPlan): boolean {
  if (pagination.kind !== 'cursor') return false
  const { names, source } = pagination.value
  return names.has('last_record') || names.has('last_records') || /\[\s*-\s*1\s*\]|\|\s*last\b/.test(source)
}

/**
 * A key has one record, and a cursor or token that each record carries is the API's own. A date, a name or a state may be that of many: where
 * a page ends within them, nothing on any page shows the rest.
 */
export function mayShareCursor(pagination: PaginationPlan, primaryKey: KeyPaths): boolean {
  if (pagination.kind !== 'cursor' || !isOfRecords(pagination)) return false
  const field = cursorFieldOf(pagination)
  const keys = primaryKey.length === 1 ? [primaryKey[0]?.join('.') ?? ''] : []
  if (field !== null) return !keys.includes(field.join('.')) && !isKeyName(field.at(-1) ?? '')
  const words = pagination.value.source.match(/[A-Za-z_]\w*/g) ?? []
  return !words.some((word) => keys.includes(word) || isKeyName(word))
}

function isKeyName(name: string): boolean {
  return idNames.includes(name) || /cursor|token|^next/i.test(name)
}
