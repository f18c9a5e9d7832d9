/** Bodies of pages → the claims of a read over them, without a server. */
import { readClaims } from '../../src/proof/claims/read-claims.ts'
import type { ClaimRules, PageFacts } from '../../src/proof/claims/page-facts.ts'
import { followPath } from '../../src/std/values/get-at.ts'
import type { Claims } from '../../src/proof/claims/merge-claims.ts'

export type TestPage = {
  body: unknown
  headers?: Record<string, string>
  received?: number
} & Partial<Omit<PageFacts, 'body' | 'headers' | 'receivedCount' | 'isLast'>>

export const plainRules: ClaimRules = {
  recordPath: ['data'],
  countsRecords: true,
  isCursorOfApi: false,
  isSliced: false,
  mayStopEarly: false,
  isCursorConditional: false,
  mayStartAgain: false,
  isOfDownloads: false,
  askedSize: null,
  declared: [],
  cursorField: null,
  mayShareCursor: false,
  leadsElsewhere: false,
  isCounting: false,
  mayStartLate: false,
  tokenNames: [],
}

/** The number of records is that of the list at the record path, unless a page says otherwise. */
export function claimsOfPages(pages: readonly TestPage[], rules: Partial<ClaimRules> = {}): Claims {
  const all = { ...plainRules, ...rules }
  let claims: Claims | null = null
  for (const [index, { body, headers = {}, received, ...others }] of pages.entries()) {
    const list = followPath(body, all.recordPath ?? [])
    const receivedCount = received ?? (Array.isArray(list) ? list.length : 0)
    const isLast = index === pages.length - 1
    const facts = { isError: false, isNextCounted: false, ...others }
    claims = readClaims(claims, { body, headers, receivedCount, part: 0, isLast, ...facts }, all)
  }
  if (claims === null) throw new Error('a read has at least one page')
  return claims
}

export const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: index, total: 99, next: '/x' }))
