/** A page token → whether it is a count of records or pages, so that records which move can be missed. */
import type { Page } from '../../engine/pages/page.ts'
import { digitsIn, linkQuery } from './link-query.ts'
import { isCountingName } from '../names/paging-names.ts'

/**
 * An opaque cursor points at a record. A link from the API may still be a count (`?$skip=100`), and so may a number that
 * is sent as `offset` or read from `next_page`.
 * @param names where the token is read from and what it is sent as
 */
export function isCountedToken(token: Page['next'], names: readonly string[] = []): boolean {
  const query = linkQuery(token?.url ?? token?.value)
  if (query !== null) return [...query].some(([name, value]) => digitsIn(value) !== null && isCountingName(name))
  const value = typeof token?.value === 'number' ? String(token.value) : token?.value
  if (typeof value !== 'string') return false
  return digitsIn(value) === null ? isEncodedCount(value) : names.some(isCountName)
}

/** `next_offset` as well as `offset`. */
function isCountName(name: string): boolean {
  return isCountingName(name) || isCountingName(name.replace(/^next[_-]?/i, ''))
}

/** Libraries for GraphQL write the position of an edge as the base64 of `arrayconnection:9`. */
function isEncodedCount(value: string): boolean {
  if (value.length > 64 || !/^[\w+/-]+=*$/.test(value)) return false
  return /^(arrayconnection|offset|page|skip)[:=]\d{1,9}$/i.test(Buffer.from(value, 'base64').toString('latin1'))
}
