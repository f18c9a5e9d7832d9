/** How pages follow each other → the tokens that ask for the first three, as after full pages. */
import { firstToken, nextPage } from '../../engine/pagination/next-page.ts'
import { pageSizeOf, type PaginationPlan } from '../../engine/plan/pagination.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { type PageToken, pageToken } from '../../engine/request/page-token.ts'
import type { Placeholders } from './placeholders.ts'

export type PreviewedPage = { readonly token: PageToken | null }

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
