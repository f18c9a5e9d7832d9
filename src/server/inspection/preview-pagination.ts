/** How pages follow each other → the tokens that ask for the first three, as after full pages. */
import { firstToken, nextPage } from '../../engine/pagination/next-page.ts'
import { pageSizeOf } from '../../engine/plan/pagination.ts'
import type { PaginationPlan } from '../../engine/plan/pagination-plan.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { type PageToken, pageToken } from '../../engine/request/page-token.ts'
import type { Placeholders } from './preview-config.ts'
import { count } from '../../std/text/format-count.ts'
import { cursorPlace } from '../cursor-path.ts'

type PreviewedPage = { readonly token: PageToken | null }

const shown = 3

/** @param origin Of the first request: where links lead, for all that is known. */
export function previewTokens(
  plan: PaginationPlan,
  config: Config,
  origin: string,
  placeholders: Placeholders,
): PreviewedPage[] {
  // What the first request of a class carries, only its code knows.
  let token = plan.kind === 'custom' ? null : firstToken(plan, null)
  const pages: PreviewedPage[] = [{ token }]
  for (let page = 1; page < shown; page++) {
    const next = tokenAfter(plan, token, config, { page, origin, placeholders })
    if (next === null) break
    pages.push({ token: next })
    token = next
  }
  return pages
}

type Position = { readonly page: number; readonly origin: string; readonly placeholders: Placeholders }

function tokenAfter(
  plan: PaginationPlan,
  token: PageToken | null,
  config: Config,
  { page, origin, placeholders: { named } }: Position,
): PageToken | null {
  switch (plan.kind) {
    case 'none':
      return null
    case 'cursor':
    case 'custom': {
      const name = plan.kind === 'custom' ? `token from page ${page}` : `cursor from page ${page}`
      const isLink = plan.token?.into === 'path'
      const value = named(isLink ? `link from page ${page}` : name)
      return pageToken(value, isLink ? `${origin}/${value}` : undefined)
    }
    case 'offset':
    case 'page': {
      const size = fullPage(plan, config)
      // How far an offset goes on, only the pages tell.
      if (size === null && plan.kind === 'offset')
        return pageToken(named(`records on ${page === 1 ? 'page 1' : `pages 1 to ${page}`}`))
      const outcome = { token, url: origin, body: {}, headers: {}, receivedCount: size ?? 1, received: [] }
      return nextPage(plan, outcome, { config, strategy: null, streamName: '' }).token
    }
  }
}

/** How many records a full page has; null where only a response tells. */
export function fullPage(plan: PaginationPlan, config: Config): number | null {
  if (plan.kind !== 'offset' && plan.kind !== 'page') return null
  const { pageSize, parameters } = plan
  if (pageSize === null || typeof pageSize === 'number') return pageSize
  try {
    return pageSizeOf(pageSize.evaluate({ config, parameters, response: {} }))
  } catch {
    return null
  }
}

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
