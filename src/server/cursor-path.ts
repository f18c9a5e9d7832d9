/** A cursor's template → the path it reads, as people would write it; null for one that computes. */
import type { PaginationPlan } from '../engine/plan/pagination-plan.ts'

const step = String.raw`(?:\.\w+|\[\s*(?:'[^']*'|"[^"]*"|-?\d+)\s*\]|\.get\(\s*(?:'[^']*'|"[^"]*")\s*(?:,\s*[^()]*)?\))`
const pathPattern = new RegExp(String.raw`^\{\{\s*((?:response|headers|last_records?)(?:${step})+)\s*\}\}$`)

/** @example cursorPath(plan) // 'response.paging.next' */
export function cursorPath(plan: PaginationPlan): string | null {
  if (plan.kind !== 'cursor') return null
  const [, path] = pathPattern.exec(plan.value.source.trim()) ?? []
  return (
    path
      ?.replaceAll(/\.get\(\s*['"]([^'"]*)['"]\s*(?:,[^()]*)?\)/g, '.$1')
      .replaceAll(/\[\s*['"]([^'"]*)['"]\s*\]/g, '.$1') ?? null
  )
}
