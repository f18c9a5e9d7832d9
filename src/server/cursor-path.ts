/** A cursor's template → the place it reads, as people would write it; null for one that computes. */
import type { PaginationPlan } from '../engine/plan/pagination-plan.ts'

const step = String.raw`(?:\.\w+|\[\s*(?:'[^']*'|"[^"]*"|-?\d+)\s*\]|\.get\(\s*(?:'[^']*'|"[^"]*")\s*(?:,\s*[^()]*)?\))`
const place = new RegExp(String.raw`^\{\{\s*((?:response|headers|last_records?)(?:${step})+)\s*\}\}$`)

/** @example cursorPlace(plan) // 'response.paging.next' */
export function cursorPlace(plan: PaginationPlan): string | null {
  if (plan.kind !== 'cursor') return null
  const [, path] = place.exec(plan.value.source.trim()) ?? []
  return (
    path
      ?.replaceAll(/\.get\(\s*['"]([^'"]*)['"]\s*(?:,[^()]*)?\)/g, '.$1')
      .replaceAll(/\[\s*['"]([^'"]*)['"]\s*\]/g, '.$1') ?? null
  )
}
