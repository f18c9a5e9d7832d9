/** What a recording expects × what a replay made → every difference, in words. */
import { stringifyJson } from '../std/json.ts'
import { count } from '../std/text/format-count.ts'
import { isList, isObject } from '../std/values/objects.ts'
import type { ExpectedRead, RecordedExchange } from './recording.ts'
import type { Replay } from './replay-network.ts'
import { sayChanges, sayRequest } from './same-request.ts'
import { hiddenMark, isAsExpected, variesMark } from './varying.ts'

export type DifferenceIn = 'requests' | 'records' | 'receipt' | 'schema' | 'state' | 'error' | 'network' | 'survey'

export type Difference = {
  readonly in: DifferenceIn
  /** One sentence. */
  readonly says: string
  /** `-` what the recording has, `+` what the replay has. */
  readonly lines: readonly string[]
}

/** After these, more of the same would not help. */
const mostLines = 12

export function requestDifferences(exchanges: readonly RecordedExchange[], replay: Replay): Difference[] {
  const unexpected = replay.unexpected()
  if (unexpected !== null) {
    const { request, closest, position, isAfterLast } = unexpected
    const sentence = `Request ${position + 1} is not in the recording: ${sayRequest(request)}`
    if (closest === null) return [{ in: 'requests', says: sentence, lines: [] }]
    const changes = sayChanges(closest.request, request)
    const says =
      isAfterLast && changes.length === 0
        ? `Request ${position + 1} repeats request ${closest.index + 1}: ${sayRequest(request)}`
        : isAfterLast
          ? `${sentence}. All ${exchanges.length} recorded requests had been sent before it`
          : sentence
    const lines = changes.length === 0 ? [] : [`closest: request ${closest.index + 1} of the recording`, ...changes]
    return [{ in: 'requests', says: `${says}.`, lines: fewer(lines) }]
  }
  const answered = replay.sent.flatMap(({ answeredBy }) => answeredBy ?? [])
  const unsent = exchanges.filter((_, index) => !answered.includes(index))
  if (unsent.length > 0) {
    const says = `${count(unsent.length, 'recorded request')} ${unsent.length === 1 ? 'was' : 'were'} not sent.`
    return [{ in: 'requests', says, lines: fewer(unsent.map(({ request }) => `- ${sayRequest(request)}`)) }]
  }
  const firstOff = answered.findIndex((index, position) => index !== position)
  if (firstOff === -1) return []
  const lines = answered.map((index) => `+ ${index + 1}: ${sayRequest(exchanges[index]?.request as never)}`)
  return [
    {
      in: 'requests',
      says: `The requests are sent in another order, from request ${firstOff + 1}.`,
      lines: fewer(lines.slice(firstOff)),
    },
  ]
}

export function readDifferences(expected: ExpectedRead, actual: ExpectedRead): Difference[] {
  return [
    ...recordDifferences(expected, actual),
    ...sliceDifferences(expected, actual),
    ...valueDifferences('receipt', 'The receipt of the stream differs.', expected.receipt, actual.receipt),
    ...valueDifferences('schema', 'The schema differs.', expected.schema, actual.schema),
    ...keyDifferences(expected, actual),
    ...valueDifferences('state', 'The state after the read differs.', expected.state, actual.state),
  ]
}

function recordDifferences({ records: was }: ExpectedRead, { records: is }: ExpectedRead): Difference[] {
  const counts = was.count === is.count ? '' : ` There are ${is.count} records instead of ${was.count}.`
  const index = [...Array(Math.max(was.first.length, is.first.length)).keys()].find(
    (position) => !isAsExpected(was.first[position], is.first[position]),
  )
  if (index !== undefined) {
    const lines = leafDifferences(was.first[index], is.first[index])
    return [{ in: 'records', says: `Record ${index + 1} differs.${counts}`, lines: fewer(lines) }]
  }
  if (counts !== '') return [{ in: 'records', says: counts.trim(), lines: [] }]
  const isSame = was.sha256 === undefined || was.sha256 === null || was.sha256 === is.sha256
  if (isSame) return []
  return [{ in: 'records', says: `A record after the first ${was.first.length} differs.`, lines: [] }]
}

function sliceDifferences({ slices: was }: ExpectedRead, { slices: is }: ExpectedRead): Difference[] {
  if (was.length !== is.length) {
    const says = `There are ${count(is.length, 'slice')} instead of ${was.length}.`
    return [{ in: 'receipt', says, lines: [] }]
  }
  return was.flatMap((slice, index) =>
    valueDifferences(
      'receipt',
      `The receipt of slice ${index + 1} ${stringifyJson(slice.slice)} differs.`,
      slice,
      is[index],
    ),
  )
}

function keyDifferences({ primaryKey: was }: ExpectedRead, { primaryKey: is }: ExpectedRead): Difference[] {
  return was === undefined ? [] : valueDifferences('schema', 'The primary key differs.', was, is)
}

function valueDifferences(where: DifferenceIn, says: string, was: unknown, is: unknown): Difference[] {
  if (isAsExpected(was, is)) return []
  return [{ in: where, says, lines: fewer(leafDifferences(was, is)) }]
}

/** `- customer.name: "Ann"`, `+ customer.name: "Bob"` */
function leafDifferences(was: unknown, is: unknown, path = ''): string[] {
  if (isAsExpected(was, is) || was === variesMark || was === hiddenMark) return []
  const step = (name: string) => (path === '' ? name : `${path}.${name}`)
  if (isObject(was) && isObject(is)) {
    const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
    return names.flatMap((name) => leafDifferences(was[name], is[name], step(name)))
  }
  if (isList(was) && isList(is)) {
    const longest = Math.max(was.length, is.length)
    return [...Array(longest).keys()].flatMap((index) => leafDifferences(was[index], is[index], step(String(index))))
  }
  const line = (sign: string, value: unknown) =>
    value === undefined ? [] : [`${sign} ${path === '' ? '' : `${path}: `}${shown(value)}`]
  return [...line('-', was), ...line('+', is)]
}

function shown(value: unknown): string {
  const text = stringifyJson(value)
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}

function fewer(lines: readonly string[]): string[] {
  if (lines.length <= mostLines) return [...lines]
  return [...lines.slice(0, mostLines), `… and ${lines.length - mostLines} more`]
}
