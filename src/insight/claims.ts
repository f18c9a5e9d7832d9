/** What an API claims about how much there is. */
import type { Page } from '../engine/pages/page.ts'

export type Claims = { readonly total: number | null }

export function readClaims(claims: Claims | null, _page: Pick<Page, 'index'>): Claims | null {
  return claims
}

export function expectedTotal(claims: Claims | null): number | null {
  return claims?.total ?? null
}
