/** A retriever of the manifest → an endpoint that answers with its records, page by page. */
import type { Component } from '../../engine/manifest/manifest.ts'
import { fitOf } from './address.ts'
import { type Answer, type Asked, keyOf } from './asked.ts'
import { type Window, wholeTime } from './calendar.ts'
import { asComponent } from './components.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { encoded } from './encode.ts'
import type { Endpoint, Role } from './endpoint.ts'
import { type PageShape, pageShape } from './page-shape.ts'
import { pageMark } from './page-values.ts'
import { bodyOf, countsOf, lastRecordReads, manyPages, pagesOf, pagingOf } from './paging.ts'
import { type Extra, recordSource } from './record-source.ts'
import type { Path } from './place.ts'
import { createWalks, type Turn } from './walks.ts'
import { windowIn } from './window.ts'

export type Listing = {
  readonly role: Role
  readonly name: string
  readonly retriever: Component
  readonly stream: Component | null
  /** Fields of its records that somebody else reads. */
  readonly needs: readonly Path[]
  readonly extras?: readonly Extra[]
  readonly config: Config
  /** What every record holds, where no schema says so. */
  readonly base?: unknown
  /** The window of time, where the request itself does not name it. */
  readonly windowOf?: (asked: Asked) => Window | null
}

export function listEndpoint(listing: Listing): Endpoint {
  const { role, name, retriever, stream, needs, config } = listing
  const requester = retriever.requester as Component
  const selector = asComponent(retriever.record_selector)
  const paging = pagingOf(retriever, config)
  const turnOf = createWalks(requester, asComponent(retriever.paginator))
  const source = recordSource({
    stream,
    selector,
    needs: [...needs, ...lastRecordReads(paging)],
    extras: listing.extras ?? [],
    config,
    base: listing.base,
    // Names of streams and properties are texts.
    keysAreTexts: role === 'resolver' || role === 'properties',
  })
  const isFeed = source.cursor?.isFeed ?? false
  const taken = new Map<number, Set<string>>()
  const given = new Map<string, Answer>()
  const shortfalls: string[] = []

  /** The page with the likeliest number of records for which an answer is found. */
  const pageWith = (asked: Asked, { walk, page }: Turn, goesOn: boolean): PageShape | null => {
    const window = listing.windowOf?.(asked) ?? (source.cursor && windowIn(asked, source.cursor)) ?? wholeTime
    for (const count of countsOf(paging, role, page, goesOn)) {
      const before = walk * 1_000_000 + (page - 1) * Math.max(count, paging.size ?? 3)
      const records = Array.from({ length: count }, (_, index) => {
        const part = (Math.min(page, manyPages) - 1 + (index + 1) / (count + 1)) / manyPages
        return source.record(before + index + 1, momentIn(window, isFeed ? 1 - part : part), index < 3)
      })
      const shape = pageShape(paging, {
        goesOn,
        page,
        link: linkTo(asked, page + 1),
        records,
        taken: taken.get(walk) ?? new Set(),
      })
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
    return encoded(asComponent(retriever.decoder), shape?.body ?? bodyOf(paging, []), shape?.headers ?? {})
  }

  return {
    role,
    name,
    shortfalls,
    fit: fitOf(requester, config),
    answer(asked) {
      const key = keyOf(asked)
      const answer = given.get(key) ?? answerTo(asked)
      given.set(key, answer)
      return answer
    },
  }
}

/** Well inside the window, so that neither of its ends can be mistaken for the record's own time. */
function momentIn({ from, to }: Window, part: number): number {
  return from + (to - from) * (0.1 + 0.7 * part)
}

function linkTo({ url }: Asked, page: number): string {
  const link = new URL(url)
  link.searchParams.set('leaf', pageMark(page))
  return link.href
}
