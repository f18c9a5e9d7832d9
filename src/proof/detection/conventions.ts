/**
 * Parameters that are used together. An API that takes every other name for a filter, or refuses it, answers no request
 * with many names: these are tried one pair at a time, the most usual first.
 */
import { plainName } from '../names/name-words.ts'
import { moversAt } from './candidates-tried.ts'
import type { Guess } from './guesses.ts'
import { placesFor } from './slots.ts'
import type { Slot } from './question.ts'
import { styled } from './name-style.ts'
import { flagOf, totalsOf, type Walk } from './walk.ts'

/** In words, to be written as the API writes its names; what begins with `=` is written so everywhere. */
type Convention = readonly [mover: string, ...sizes: readonly string[]]

const counted: readonly Convention[] = [
  ['offset', 'limit', 'count'],
  ['page', 'per page', 'limit', 'page size', 'size'],
  ['=_page', '=_limit', '=_per_page'],
  ['=_start', '=_limit'],
  ['skip', 'take', 'limit', 'top'],
  ['=$skip', '=$top', '=$limit'],
  ['page number', 'page size', 'limit', 'size'],
  ['=$offset', '=$limit'],
  ['start', 'limit', 'rows', 'count'],
  ['from', 'size', 'limit'],
  ['=page[number]', '=page[size]'],
  ['=page[offset]', '=page[limit]'],
  ['=_offset', '=_limit', '=_count'],
]

const byKey: Convention = ['starting after', 'limit']

/** An API that says only whether more follows is often asked with the key of the last record. */
function conventionsOf(walk: Walk, withSize: boolean): Convention[] {
  const at = flagOf(walk) === null || totalsOf(walk.first, walk.reading).length > 0 ? 7 : 2
  // A page alone costs a request more, for the number of the first one: it must come while there are two.
  const isSooner = ([mover]: Convention) => Number(!withSize && (mover === 'page number' || mover === 'skip'))
  const [first, rest] = [counted.slice(0, 3), counted.slice(3)]
  return [...first, ...rest.toSorted((one, other) => isSooner(other) - isSooner(one))].toSpliced(at, 0, byKey)
}

/** With the size that usually goes with it, or alone. */
export function conventionsFor(walk: Walk, withSize: boolean): Guess[] {
  return conventionsOf(walk, withSize).flatMap(([name, usual = '']) => {
    const [slot] = placesFor(walk.question, [styled(name, walk.style)])
    const [size = null] = withSize ? placesFor(walk.question, [styled(usual, walk.style)]) : []
    const mover = slot === undefined ? undefined : moversAt(walk, slot)[0]
    return mover === undefined ? [] : [{ mover, size }]
  })
}

/** What asks for the size of a page where this parameter turns it. */
export function sizesNextTo(walk: Walk, mover: Slot): Slot[] {
  const name = mover.path.at(-1) ?? ''
  const all = [...counted, byKey]
  const found =
    all.find(([one]) => one === `=${name}`) ??
    all.find(([one]) => !one.startsWith('=') && plainName(one) === plainName(name))
  return placesFor(walk.question, found?.slice(1).map((one) => styled(one, walk.style)) ?? [])
}
