/** A cursor's template → the path it reads, as people would write it; null for one that computes. */
import type { PaginationPlan } from '../engine/plan/pagination.ts'
import { pathReadBy } from '../engine/template/syntax/path.ts'

const roots: ReadonlySet<unknown> = new Set(['response', 'headers', 'last_record', 'last_records'])

/** @example cursorPath(plan) // 'response.paging.next' */
export function cursorPath(plan: PaginationPlan): string | null {
  const [root, ...steps] = plan.kind === 'cursor' ? (pathReadBy(plan.value.source) ?? []) : []
  if (!roots.has(root) || steps.length === 0) return null
  return steps.reduce<string>(
    (text, step) => text + (typeof step === 'number' ? `[${step}]` : `.${step}`),
    String(root),
  )
}
