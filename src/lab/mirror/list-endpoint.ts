/** A retriever of the manifest → an endpoint that returns its records, page by page. */
import { type MirrorResponse, type MirrorRequest, keyOf } from './mirror-request.ts'
import { encoded } from './encode.ts'
import type { Endpoint } from './endpoint.ts'
import { type Listing, linkTo, openList } from './open-list.ts'
import { type PageShape, pageShape } from './page-shape.ts'
import { pageBody, countsOf, manyPages, pagesOf } from './paging.ts'
import type { RequestedPage } from './requested-page.ts'

export function listEndpoint(listing: Listing): Endpoint {
  const { role, name } = listing
  const { paging, fit, decoder, pageRequested, record } = openList(listing)
  const taken = new Map<number, Set<string>>()
  const given = new Map<string, MirrorResponse>()
  const shortfalls: string[] = []

  /** The page with the likeliest number of records for which an answer is found. */
  const pageWith = (request: MirrorRequest, { read, page }: RequestedPage, hasNext: boolean): PageShape | null => {
    for (const count of countsOf(paging, role, page, hasNext)) {
      const before = read * 1_000_000 + (page - 1) * Math.max(count, paging.size ?? 3, 3)
      const records = Array.from({ length: count }, (_, index) => {
        const part = (Math.min(page, manyPages) - 1 + (index + 1) / (count + 1)) / manyPages
        return record(request, before + index + 1, part, index < 3)
      })
      const next = page + 1
      const led = taken.get(read) ?? new Set()
      const shape = pageShape(paging, { hasNext, page, next, link: linkTo(request, next), records, taken: led })
      if (shape !== null) return shape
    }
    if (role === 'own' || !hasNext)
      shortfalls.push(`page ${page} cannot ${hasNext ? 'lead to the next' : 'end the read'}`)
    return null
  }

  const answerTo = (request: MirrorRequest): MirrorResponse => {
    const requested = pageRequested(request)
    const hasMore = requested.page < pagesOf(paging, role, requested.read)
    const shape = (hasMore ? pageWith(request, requested, true) : null) ?? pageWith(request, requested, false)
    taken.set(requested.read, new Set([...(taken.get(requested.read) ?? []), shape?.token ?? '']))
    return encoded(decoder, shape?.body ?? pageBody(paging, []), shape?.headers ?? {})
  }

  return {
    role,
    name,
    shortfalls,
    fit,
    answer(request) {
      const key = keyOf(request)
      const response = given.get(key) ?? answerTo(request)
      given.set(key, response)
      return response
    },
  }
}
