/** A template and a page → the places that it reads in the response, which of them are missing, and the probable spelling. */
import { linksOf } from '../../engine/pagination/link-header.ts'
import { type PlaceRead, placesReadBy } from '../../engine/template/syntax/places-read.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import type { PageSummary } from './page-summary.ts'
import type { PaginationPlan } from '../../engine/plan/pagination.ts'
import { followPath, valueAt } from '../../std/values/get-at.ts'
import { nearMiss } from '../../std/text/near-miss.ts'
import { declaredPlacesOf } from '../claims/declared/declared-places.ts'
import { isSamePlace, type ResponsePlace } from '../claims/response-place.ts'
import { escapePattern } from '../../std/text/escape-pattern.ts'

type ReadPlaces = {
  /** Every place of the response that the template reads. */
  readonly all: readonly PlaceRead[]
  readonly missing: readonly PlaceRead[]
}

/** Nothing is known about a page whose body was not kept. */
export function readPlaces(source: string, { response: answer }: Pick<PageSummary, 'response'>): ReadPlaces {
  const all = placesReadBy(source).filter(([root, ...names]) => isOfResponse(root) && names.length > 0)
  return { all, missing: answer === null ? [] : all.filter((place) => !isThere(place, answer)) }
}

function isOfResponse(root: string | undefined): boolean {
  return root === 'response' || root === 'headers'
}

function isThere([root, ...names]: PlaceRead, { body, headers }: NonNullable<PageSummary['response']>): boolean {
  const [header = '', ...inHeader] = names
  if (root !== 'headers') return valueAt(isList(body) ? body[0] : body, names) !== undefined
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === header.toLowerCase())?.[1]
  if (found === undefined || inHeader.length === 0) return found !== undefined
  return header.toLowerCase() === 'link' && valueAt(linksOf(found), inHeader) !== undefined
}

/** A template that reads a missing place → the template with the name that was probably meant. */
type Misspelt = {
  /** As it is written: `pagin`. */
  readonly wrong: string
  readonly right: string
  /** The place that was meant, as people read it: `paging.next`. */
  readonly at: string
  /** The template with the right name in it. */
  readonly template: string
}

type CursorPlan = Extract<PaginationPlan, { kind: 'cursor' }>

export function misspeltCursor(
  plan: CursorPlan,
  page: PageSummary,
  recordPath: readonly string[] | null,
): Misspelt | null {
  const placesOf = (source: string) =>
    placesWith({ ...plan, stopWhen: null, value: { ...plan.value, source } }, recordPath)
  return misspeltIn(plan.value.source, placesOf, page)
}

export function misspeltStop(
  plan: CursorPlan,
  page: PageSummary,
  recordPath: readonly string[] | null,
): Misspelt | null {
  const { stopWhen } = plan
  if (stopWhen === null) return null
  const cursor = placesWith({ ...plan, stopWhen: null }, recordPath)
  const placesOf = (source: string) =>
    placesWith({ ...plan, stopWhen: { ...stopWhen, source } }, recordPath).filter(
      (place) => !cursor.some((one) => isSamePlace(one, place)),
    )
  return misspeltIn(stopWhen.source, placesOf, page)
}

function placesWith(plan: CursorPlan, recordPath: readonly string[] | null): ResponsePlace[] {
  return declaredPlacesOf(plan, recordPath).map(({ place }) => place)
}

function misspeltIn(
  source: string,
  placesOf: (source: string) => readonly ResponsePlace[],
  { response }: PageSummary,
): Misspelt | null {
  for (const [from, ...names] of placesOf(source)) {
    if (from !== 'body' || response === null) continue
    const found = respelled(names, response.body)
    if (found === null) continue
    const { wrong, right, path } = found
    // What is read already was not meant a second time: `response.page == response.pages`.
    if (asWord(right).test(source)) continue
    const template = source.replace(asWord(wrong), () => right)
    const isRight = placesOf(template).some((place) => isSamePlace(place, ['body', ...path]))
    if (isRight) return { wrong, right, at: path.join('.'), template }
  }
  return null
}

/** The first name that is missing, and the nearest one next to which something is; null where none is near. */
function respelled(names: readonly string[], body: unknown) {
  const index = names.findIndex((_, at) => followPath(body, names.slice(0, at + 1)) === undefined)
  const wrong = names[index]
  const holder = followPath(body, names.slice(0, index))
  if (wrong === undefined || !isObject(holder)) return null
  const right = nearMiss(wrong, Object.keys(holder))
  if (right === undefined) return null
  const path = [...names.slice(0, index), right, ...names.slice(index + 1)]
  return followPath(body, path) === undefined ? null : { wrong, right, path }
}

function asWord(name: string): RegExp {
  return new RegExp(`(?<![\\w$])${escapePattern(name)}(?![\\w$])`)
}
