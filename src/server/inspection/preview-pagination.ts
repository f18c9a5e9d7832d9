/** A pagination plan → the page tokens of the first three pages, assuming full pages; and the pagination in words. */
import { firstToken, nextPage } from '../../engine/pagination/next-page.ts'
import { pageSizeOf, type PaginationPlan } from '../../engine/plan/pagination.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { type PageToken, pageToken } from '../../engine/request/page-token.ts'
import type { Placeholders } from './preview-config.ts'
import { count } from '../../std/text/format-count.ts'
import { cursorPath } from '../cursor-path.ts'

type PreviewedPage = { readonly token: PageToken | null }

const shown = 3

/** @param origin of the first request: links are assumed to have the same. */
export function previewTokens(
  plan: PaginationPlan,
  config: Config,
  origin: string,
  placeholders: Placeholders,
): PreviewedPage[] {
  // Only a custom class knows its first token.
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
      // Without a page size, the offset depends on the pages.
      if (size === null && plan.kind === 'offset')
        return pageToken(named(`records on ${page === 1 ? 'page 1' : `pages 1 to ${page}`}`))
      const outcome = { token, url: origin, body: {}, headers: {}, receivedCount: size ?? 1, received: [] }
      return nextPage(plan, outcome, { config, strategy: null, streamName: '' }).token
    }
  }
}

/** How many records a full page has; null where it depends on a response. */
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

/** When a page after the first is requested. */
export function sayWhen(plan: PaginationPlan, size: number | null): string {
  switch (plan.kind) {
    case 'none':
      return 'never'
    case 'offset':
    case 'page':
      return size === null ? 'after a page that has records' : `after a full page of ${count(size, 'record')}`
    case 'cursor': {
      const found = `while ${cursorFound(plan)}`
      return plan.stopWhen === null ? found : `${found}, unless the stop condition is true`
    }
    case 'custom':
      return `while ${className(plan)} returns a token`
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
      const path = cursorPath(plan)
      const gone = path === null ? 'the cursor value is empty' : `${path} is null, empty or missing`
      return plan.stopWhen === null ? `Stops when ${gone}.` : `Stops when the stop condition is true, or ${gone}.`
    }
    case 'custom':
      return `Stops when ${className(plan)} returns no token.`
  }
}

function cursorFound(plan: Extract<PaginationPlan, { kind: 'cursor' }>): string {
  const path = cursorPath(plan)
  if (path === null) return 'the cursor value is not empty'
  const [holder] = path.split(/[.[]/, 1)
  if (holder === 'response') return `the response has a cursor at ${path}`
  return holder === 'headers' ? `the headers have a cursor at ${path}` : `there is a cursor at ${path}`
}

function className({ className: name }: Extract<PaginationPlan, { kind: 'custom' }>): string {
  return name.split('.').at(-1) ?? name
}
