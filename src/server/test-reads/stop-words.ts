/** Why a page is the last of its slice, in words, with the figures. */
import type { StopReason } from '../../engine/pagination/next-page.ts'
import type { PaginationPlan } from '../../engine/plan/pagination.ts'
import { count, number } from '../../std/text/format-count.ts'
import { cursorPlace } from '../cursor-place.ts'
import { mostGathered, type WholePage } from './whole-pages.ts'

export type ReadLimits = { readonly maxPages: number; readonly maxSlices: number; readonly maxRecords: number }

export function sayStop(
  stop: StopReason | 'record-limit' | 'size-limit',
  { receivedCount, page }: WholePage,
  plan: PaginationPlan,
  limits: ReadLimits,
): string {
  switch (stop) {
    case 'short-page':
      return `short page: ${number(receivedCount)} of ${sizeOf(plan)} asked`
    case 'empty-page':
      return 'empty page: no records'
    case 'no-cursor':
      return `no cursor${saidPlace(plan)}`
    case 'stop-condition':
      return 'the stop condition is true'
    case 'strategy':
      return plan.kind === 'custom' ? `${plan.className} gives no token` : 'the next page would be page 0'
    case 'limit':
      return `limit: ${count(limits.maxPages, 'page')} per slice`
    case 'record-limit':
      return `limit: ${count(limits.maxRecords, 'record')}`
    case 'size-limit':
      return `limit: ${number(mostGathered / 1024 / 1024)} MB of one page`
    case 'not-paginated':
      return 'no pagination: one request'
    case 'ignored':
      return `an error rule takes the answer ${page.response.status} for the end`
    case 'nothing-to-download':
      return 'the job names no download'
    case 'read-before':
      return 'records that an earlier read has brought'
    case 'error':
      return 'the next page cannot be found'
  }
}

function sizeOf(plan: PaginationPlan): string {
  const size = plan.kind === 'offset' || plan.kind === 'page' ? plan.pageSize : null
  return typeof size === 'number' ? number(size) : 'those'
}

function saidPlace(plan: PaginationPlan): string {
  const place = cursorPlace(plan)
  return place === null ? ': the cursor value is empty' : ` at ${place}`
}
