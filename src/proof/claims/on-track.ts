/** The token that a read continues with, and the next page that the API names → whether they are the same page. */
import { isObject } from '../../std/values/objects.ts'
import type { FoundNext } from './envelope-claims.ts'
import { digitsIn, queryOf } from './link-query.ts'
import type { PageFacts } from './page-facts.ts'
import { isCountingName } from '../names/paging-names.ts'
import { valueAt } from './response-value.ts'

/**
 * On the first page. `isCounting`: the read counts by itself, so only a link with the number of a page or a record contradicts it. A read
 * that the API's own words do not contradict is on track.
 */
export function isOffTrack(page: PageFacts, nexts: readonly FoundNext[], isCounting: boolean): boolean {
  const { next } = page
  if (next === null || next === undefined) return false
  const named = nexts
    .filter(({ isNamed, says, kind }) => isNamed && says === 'more' && kind !== 'flag')
    .flatMap(({ place }) => targetsIn(valueAt(page, place)))
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
  const texts = [...sent, ...(url === undefined ? [] : [url])].map(decoded)
  const named = decoded(target)
  return texts.some((text) => named.includes(text) || text.includes(named))
}

function countsIn(target: string): string[] {
  return [...(queryOf(target) ?? [])].flatMap(([name, text]) =>
    isCountingName(name) && digitsIn(text) !== null ? [text] : [],
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
