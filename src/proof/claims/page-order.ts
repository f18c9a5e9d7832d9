/** What pages say about their position and the next page → whether the read follows them without a gap. */
import { plainName } from '../names/name-style.ts'
import type { Envelope } from './envelopes.ts'
import type { FoundNext, PositionClaim } from './envelope-claims.ts'
import { wholeNumber, responseValue } from './response-place.ts'
import type { PageFacts } from './page-facts.ts'
import { isObject } from '../../std/values/objects.ts'
import { digitsIn, linkQuery } from './link-query.ts'
import { isCountingName, positionNames } from '../names/paging-names.ts'
import { queryDecode } from '../../std/text/percent-decode.ts'

/** On the first page. */
export function positionIn(envelopes: readonly Envelope[]): PositionClaim | null {
  for (const [counts, names] of [
    ['records', positionNames.offset],
    ['pages', positionNames.page],
  ] as const) {
    for (const { place, members, mayBeThing } of envelopes) {
      const name = mayBeThing ? undefined : Object.keys(members).find((one) => names.has(plainName(one)))
      const first = name === undefined ? null : wholeNumber(members[name])
      if (name !== undefined && first !== null) {
        return { place: [...place, name], counts, first, isMoving: false, gap: null }
      }
    }
  }
  return null
}

type Before = { readonly pages: number; readonly received: number }

/** For a further page that has records: past the end, the numbers may be anything. */
export function nextPosition(claim: PositionClaim, page: PageFacts, before: Before): PositionClaim {
  const value = wholeNumber(responseValue(page, claim.place))
  if (value === null || value === claim.first) return claim
  const expected = claim.first + (claim.counts === 'records' ? before.received : before.pages)
  return { ...claim, isMoving: true, gap: claim.gap ?? (value === expected ? null : before.pages + 1) }
}

/**
 * For the first page. `isCounting`: the read counts pages or records itself, so only a link with such a number can contradict it. Without a
 * contradiction the read is on track.
 */
export function isOffTrack(page: PageFacts, nexts: readonly FoundNext[], isCounting: boolean): boolean {
  const { next } = page
  if (next === null || next === undefined) return false
  const named = nexts
    .filter(({ isNamed, says, kind }) => isNamed && says === 'more' && kind !== 'flag')
    .flatMap(({ place }) => targetsIn(responseValue(page, place)))
    .filter((target) => !isCounting || countsIn(target).length > 0)
  return named.length > 0 && !named.some((target) => isSame(target, next, isCounting))
}

function targetsIn(value: unknown): string[] {
  if (isObject(value)) return Object.values(value).flatMap(targetsIn)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? [String(value)] : []
}

function isSame(target: string, { value, url }: NonNullable<PageFacts['next']>, isCounting: boolean): boolean {
  const sent = targetsIn(value)
  if (isCounting) return countsIn(target).some((count) => sent.includes(count))
  const texts = [...sent, ...(url === undefined ? [] : [url])].map(queryDecode)
  const named = queryDecode(target)
  return texts.some((text) => named.includes(text) || text.includes(named))
}

function countsIn(target: string): string[] {
  return [...(linkQuery(target) ?? [])].flatMap(([name, text]) =>
    isCountingName(name) && digitsIn(text) !== null ? [text] : [],
  )
}
