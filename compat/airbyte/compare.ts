/** What two engines requested and read of one stream → where they differ. */
import type { MirrorRequest } from '../../src/lab/mirror/mirror-request.ts'
import { stringifyJson } from '../../src/std/json.ts'
import { sortedMembers } from '../../src/std/values/sorted-members.ts'

export type Side = {
  readonly requests: readonly string[]
  readonly records: readonly unknown[]
  readonly state: unknown
  readonly error: string | null
}

/**
 * `same`: requests, records and the last state. `parents`: the same, but Airbyte requests parents again. `refused`: Airbyte cannot
 * read it. `neither`: both fail. `different`: everything else.
 */
export type Verdict = 'same' | 'parents' | 'refused' | 'neither' | 'different'

export type Comparison = {
  readonly verdict: Verdict
  /** What only one of them has: ours, then Airbyte's. */
  readonly requests: readonly [ours: readonly string[], theirs: readonly string[]]
  readonly records: readonly [ours: readonly string[], theirs: readonly string[]]
  readonly isStateSame: boolean
}

export function compare(ours: Side, theirs: Side): Comparison {
  const requests = onlyIn(ours.requests, theirs.requests)
  const records = onlyIn(ours.records.map(sortedText), theirs.records.map(sortedText))
  const isStateSame = stateText(ours.state) === stateText(theirs.state)
  const isReadSame = isStateSame && [...records[0], ...records[1]].length === 0
  return { verdict: verdictOf(isReadSame, requests, ours, theirs), requests, records, isStateSame }
}

function verdictOf(isReadSame: boolean, [more, fewer]: Comparison['requests'], ours: Side, theirs: Side): Verdict {
  if (theirs.error !== null) return ours.error === null ? 'refused' : 'neither'
  if (ours.error !== null || !isReadSame || more.length > 0) return 'different'
  if (fewer.length === 0) return 'same'
  return fewer.every((one) => ours.requests.includes(one)) ? 'parents' : 'different'
}

/** Each as often as the other does not have it. */
function onlyIn(ours: readonly string[], theirs: readonly string[]): [string[], string[]] {
  return [without(ours, theirs), without(theirs, ours)]
}

function without(some: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const one of others) left.set(one, (left.get(one) ?? 0) + 1)
  return some.filter((one) => {
    const count = left.get(one) ?? 0
    if (count > 0) left.set(one, count - 1)
    return count === 0
  })
}

/** Without the seconds that a read took, which a state with partitions keeps as its look-back: the engines wait at other moments. */
function stateText(state: unknown): string {
  const kept = JSON.stringify(state, (name, value: unknown) => (name === 'lookback_window' ? undefined : value))
  return sortedText(JSON.parse(kept))
}

/** Equal values have equal texts, whatever the order of their members. */
export function sortedText(value: unknown): string {
  return stringifyJson(sortedMembers(value ?? null))
}

/** What every HTTP client sets by itself. */
const ofClient = new Set(['host', 'connection', 'user-agent', 'accept', 'accept-encoding', 'content-length'])

/** Equal requests have equal texts, whatever the order of parameters and headers, and however a JSON body is spaced. */
export function requestLine({ method, url, headers, body }: MirrorRequest): string {
  const parameters = [...url.searchParams].map(([name, value]) => `${name}=${value}`).toSorted()
  const ofManifest = Object.entries(headers).filter(([name]) => !ofClient.has(name))
  const lines = ofManifest
    .filter(([name]) => name !== 'content-type' || body !== '')
    .map(([name, value]) => `${name}: ${String(value)}`)
  return [`${method} ${url.origin}${url.pathname}?${parameters.join('&')}`, bodyText(body), ...lines.toSorted()].join(
    ' ',
  )
}

function bodyText(body: string): string {
  try {
    return sortedText(JSON.parse(body))
  } catch {
    return body
  }
}
