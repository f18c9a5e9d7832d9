/** How pages follow each other, in words: when the next one is asked for, and when none is. */
import type { PaginationPlan } from '../../engine/plan/pagination.ts'
import { count } from '../../std/text/format-count.ts'
import { cursorPlace } from '../cursor-place.ts'

/** What must have happened before a page after the first is asked for. */
export function sayWhen(plan: PaginationPlan, size: number | null): string {
  switch (plan.kind) {
    case 'none':
      return 'never'
    case 'offset':
    case 'page':
      return size === null ? 'after a page that has records' : `after a full page of ${count(size, 'record')}`
    case 'cursor': {
      const found = `while ${lookedFor(plan)}`
      return plan.stopWhen === null ? found : `${found}, unless the stop condition is true`
    }
    case 'custom':
      return `while ${className(plan)} gives a token`
  }
}

export function sayStops(plan: PaginationPlan, size: number | null): string {
  switch (plan.kind) {
    case 'none':
      return 'After this one request: there is no pagination.'
    case 'offset':
    case 'page':
      return size === null
        ? 'Stops when a page has no records.'
        : `Stops when a page has fewer than ${count(size, 'record')}, or none.`
    case 'cursor': {
      const place = cursorPlace(plan)
      const gone = place === null ? 'the cursor value is empty' : `there is nothing at ${place}`
      return plan.stopWhen === null ? `Stops when ${gone}.` : `Stops when the stop condition is true, or ${gone}.`
    }
    case 'custom':
      return `Stops when ${className(plan)} gives no token.`
  }
}

function lookedFor(plan: Extract<PaginationPlan, { kind: 'cursor' }>): string {
  const place = cursorPlace(plan)
  if (place === null) return 'the cursor value is not empty'
  const [holder] = place.split(/[.[]/, 1)
  if (holder === 'response') return `the response has a cursor at ${place}`
  return holder === 'headers' ? `the headers have a cursor at ${place}` : `there is a cursor at ${place}`
}

function className({ className: name }: Extract<PaginationPlan, { kind: 'custom' }>): string {
  return name.split('.').at(-1) ?? name
}
