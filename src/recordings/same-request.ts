/** Two requests → whether they are the same, and if not, how they differ, in words. */
import { partsOfRequest } from './recorded-request.ts'
import type { RecordedRequest } from './recording.ts'
import { hiddenMark, isAsExpected, variesMark } from './varying.ts'

export type RecordedCandidate = { readonly index: number; readonly request: RecordedRequest }

export type RequestDifference = {
  /** Of the request that was sent, from 0. */
  readonly position: number
  readonly request: RecordedRequest
  /** The closest recorded one; null where nothing was recorded. */
  readonly closest: RecordedCandidate | null
  /** All recorded requests were sent already. */
  readonly isAfterLast: boolean
}

export function isSameRequest(recorded: RecordedRequest, sent: RecordedRequest): boolean {
  return isAsExpected(recorded, sent)
}

/** The one with the fewest different parts; of several, the first. */
export function closestRequest(
  recorded: readonly RecordedCandidate[],
  sent: RecordedRequest,
): RecordedCandidate | null {
  let closest: { readonly one: RecordedCandidate; readonly distance: number } | null = null
  for (const one of recorded) {
    const distance = distanceBetween(one.request, sent)
    if (closest === null || distance < closest.distance) closest = { one, distance }
  }
  return closest?.one ?? null
}

/** Another method or address weighs more than another parameter. */
function distanceBetween(recorded: RecordedRequest, sent: RecordedRequest): number {
  const weigh = (name: string) => (name === 'url' || name === 'method' ? 10 : 1)
  return changesBetweenRequests(recorded, sent).reduce((sum, { name }) => sum + weigh(name), 0)
}

export type PartChange = { readonly name: string; readonly recorded: string | null; readonly sent: string | null }

function changesBetweenRequests(recorded: RecordedRequest, sent: RecordedRequest): PartChange[] {
  const before = partsOfRequest(recorded)
  const after = partsOfRequest(sent)
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].flatMap((name) => {
    const [was, is] = [before.get(name) ?? null, after.get(name) ?? null]
    const isMarked = (was === variesMark || was === hiddenMark) && is !== null
    return was === is || isMarked ? [] : [{ name, recorded: was, sent: is }]
  })
}

/** `GET https://api.example.com/orders?page=2` */
export function sayRequest({ method, url, query = {} }: RecordedRequest): string {
  const parts = Object.entries(query).flatMap(([name, value]) => [value].flat().map((one) => `${name}=${one}`))
  return `${method} ${url}${parts.length === 0 ? '' : `?${parts.join('&')}`}`
}

/** One line for each part that differs, `-` recorded, `+` sent. */
export function sayChanges(recorded: RecordedRequest, sent: RecordedRequest): string[] {
  return changesBetweenRequests(recorded, sent).flatMap(({ name, recorded: was, sent: is }) => [
    ...(was === null ? [] : [`- ${name}: ${was}`]),
    ...(is === null ? [] : [`+ ${name}: ${is}`]),
  ])
}
