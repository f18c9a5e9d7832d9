/** Why a page is the last of its slice, in words. */
import type { StopReason } from '../../engine/pagination/next-page.ts'
import type { PaginationPlan } from '../../engine/plan/pagination.ts'
import { sayStop } from '../../protocol/say.ts'
import { count, number } from '../../std/text/format-count.ts'
import { cursorPath } from '../cursor-path.ts'
import { mostGathered, type WholePage } from './whole-pages.ts'

/** The words of every stop reason, then the details. */
export function explainStop(
  stop: StopReason | 'record-limit' | 'size-limit',
  { receivedCount, page }: WholePage,
  plan: PaginationPlan,
  limits: { readonly maxPages: number; readonly maxRecords: number },
): string {
  if (stop === 'record-limit') return `record limit: ${count(limits.maxRecords, 'record')}`
  if (stop === 'size-limit') return `size limit: ${number(mostGathered / 1024 / 1024)} MB per page`
  const reason = sayStop(stop)
  switch (stop) {
    case 'short-page':
      return `${reason}: ${number(receivedCount)} of ${sizeOf(plan)} requested`
    case 'empty-page':
      return `${reason}: no records`
    case 'no-cursor':
      return `${reason}${cursorDetail(plan)}`
    case 'stop-condition':
      return `${reason} is true`
    case 'strategy':
      return plan.kind === 'custom' ? `${reason}: ${plan.className} returned no token` : 'the next page would be page 0'
    case 'limit':
      return `${reason}: ${count(limits.maxPages, 'page')} per slice`
    case 'not-paginated':
      return `${reason}: one request`
    case 'ignored':
      return `${reason}: an error rule treats status ${page.response.status} as the end`
    case 'nothing-to-download':
      return `${reason}: the job has no download`
    case 'read-before':
      return `${reason}: an earlier read has them`
    case 'error':
      return `${reason}: the next page could not be determined`
  }
}

function sizeOf(plan: PaginationPlan): string {
  const size = plan.kind === 'offset' || plan.kind === 'page' ? plan.pageSize : null
  return typeof size === 'number' ? number(size) : 'those'
}

function cursorDetail(plan: PaginationPlan): string {
  const path = cursorPath(plan)
  return path === null ? ': the cursor value is empty' : ` at ${path}`
}
