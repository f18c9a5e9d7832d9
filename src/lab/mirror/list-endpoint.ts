/** A retriever of the manifest → an endpoint that answers with its records, page by page. */
import { type Answer, type Asked, keyOf } from './asked.ts'
import { encoded } from './encode.ts'
import type { Endpoint } from './endpoint.ts'
import { type Listing, linkTo, openList } from './open-list.ts'
import { type PageShape, pageShape } from './page-shape.ts'
import { bodyOf, countsOf, manyPages, pagesOf } from './paging.ts'
import type { Turn } from './walks.ts'

export function listEndpoint(listing: Listing): Endpoint {
  const { role, name } = listing
  const { paging, fit, decoder, turnOf, record } = openList(listing)
  const taken = new Map<number, Set<string>>()
  const given = new Map<string, Answer>()
  const shortfalls: string[] = []

  /** The page with the likeliest number of records for which an answer is found. */
  const pageWith = (asked: Asked, { walk, page }: Turn, goesOn: boolean): PageShape | null => {
    for (const count of countsOf(paging, role, page, goesOn)) {
      const before = walk * 1_000_000 + (page - 1) * Math.max(count, paging.size ?? 3)
      const records = Array.from({ length: count }, (_, index) => {
        const part = (Math.min(page, manyPages) - 1 + (index + 1) / (count + 1)) / manyPages
        return record(asked, before + index + 1, part, index < 3)
      })
      const next = page + 1
      const led = taken.get(walk) ?? new Set()
      const shape = pageShape(paging, { goesOn, page, next, link: linkTo(asked, next), records, taken: led })
      if (shape !== null) return shape
    }
    if (role === 'own' || !goesOn) shortfalls.push(`page ${page} cannot ${goesOn ? 'go on' : 'end'}`)
    return null
  }

  const answerTo = (asked: Asked): Answer => {
    const turn = turnOf(asked)
    const hasMore = turn.page < pagesOf(paging, role, turn.walk)
    const shape = (hasMore ? pageWith(asked, turn, true) : null) ?? pageWith(asked, turn, false)
    taken.set(turn.walk, new Set([...(taken.get(turn.walk) ?? []), shape?.token ?? '']))
    return encoded(decoder, shape?.body ?? bodyOf(paging, []), shape?.headers ?? {})
  }

  return {
    role,
    name,
    shortfalls,
    fit,
    answer(asked) {
      const key = keyOf(asked)
      const answer = given.get(key) ?? answerTo(asked)
      given.set(key, answer)
      return answer
    },
  }
}
