/** The responses of one page → its records, part by part where a body is too large to hold. */
import type { Lists } from '../records/expand.ts'
import { mergeChunks } from '../records/merge-chunks.ts'
import type { ParsedJson } from '../../std/json.ts'
import type { JsonRecord } from '../plan/plan.ts'
import { type RecordTools, type Selection, selectNothing, selectRecords } from '../records/select.ts'
import { peekOrNothing } from '../response/decode.ts'
import type { BodyPart } from '../response/formats/parts.ts'
import type { HttpResponse } from '../response/http-response.ts'
import { isWithoutContent } from '../response/rules/expecting-list.ts'
import { eachUntilAborted } from '../response/until-aborted.ts'
import type { Slice } from '../slices/slice.ts'
import type { PageExchange, SelectedResponse } from './page.ts'
import type { OpenStream } from './stream.ts'
import type { PageExchanges } from './request-page.ts'
import { followPath } from '../../std/values/get-at.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import { hasItems } from '../plan/decoder.ts'
import { recordPathOf } from '../records/extract.ts'
import { isHollow, isMessage, isPlainError } from '../response/error-body.ts'

/** All of a page, or as much of it as is held at a time. */
type PagePart = {
  /** As they are shown. */
  readonly responses: readonly [SelectedResponse, ...SelectedResponse[]]
  /** What pagination uses. */
  readonly whole: SelectedResponse
  /** Whether the page ends with it. */
  readonly isLast: boolean
}

/** The records in what a slice brings, once it is decoded. */
export function recordSelector({ plan, config, cursor }: OpenStream, slice: Slice, tools: RecordTools) {
  const isWanted = cursor.isFiltering ? (record: JsonRecord) => cursor.isWanted(record, slice) : null
  return (decoded: ParsedJson, lists?: Lists): Selection =>
    selectRecords({ stream: plan, config, slice, decoded, lists, isWanted, tools })
}

/** The exchanges of a page of this slice → its parts. */
export function pagePartsIn(stream: OpenStream, slice: Slice, tools: RecordTools, signal: AbortSignal) {
  const { plan, decoder } = stream
  const select = recordSelector(stream, slice, tools)
  const selected = (exchange: PageExchange, decoded: BodyPart, lists?: Lists): SelectedResponse => ({
    exchange,
    decoded,
    selection: selectionOf(exchange.response, decoded, lists),
  })
  const selectionOf = (response: HttpResponse, decoded: BodyPart, lists?: Lists): Selection => {
    if (response.isIgnored) return selectNothing('ignored')
    const selection = select(decoded, lists)
    // With records it is a page like any other.
    if (response.lacksList && selection.receivedCount === 0) return { ...selection, list: 'ignored' }
    return isWithoutContent(response) && selection.list === 'missing' ? { ...selection, list: 'null' } : selection
  }

  return (exchanges: PageExchanges, atOnce: boolean): PagePart[] | AsyncIterable<PagePart> => {
    const [exchange, ...further] = exchanges
    if (further.length > 0) return together(exchanges)
    const partOf = (decoded: BodyPart, lists?: Lists): PagePart => {
      const whole = selected(exchange, decoded, lists)
      return { responses: [whole], whole, isLast: decoded.isLast }
    }
    const bodyParts = exchange.response.isIgnored
      ? [ignored(exchange.response)]
      : decoder.parts(exchange.response, { atOnce })
    const { readLists } = tools
    if (readLists !== undefined && !exchange.response.isIgnored) return withLists(bodyParts, readLists, partOf)
    // Most pages have one part; a generator for each would double the cost of garbage collection.
    return Array.isArray(bodyParts)
      ? bodyParts.map((decoded) => partOf(decoded))
      : eachAsItArrives(arriving(bodyParts), (decoded) => partOf(decoded))
  }

  /** A class that decodes may wait for anything. */
  function arriving(bodyParts: AsyncIterable<BodyPart>): AsyncIterable<BodyPart> {
    return plan.decoder.kind === 'custom' ? eachUntilAborted(bodyParts, signal) : bodyParts
  }

  async function* together(exchanges: PageExchanges): AsyncGenerator<PagePart> {
    const responses: SelectedResponse[] = []
    for (const one of exchanges) {
      const decoded = await wholeOf(one.response)
      const lists = one.response.isIgnored ? undefined : await tools.readLists?.(decoded.value)
      responses.push(selected(one, decoded, lists))
    }
    const all = responses as [SelectedResponse, ...SelectedResponse[]]
    yield { responses: all, whole: wholePage(stream, all), isLast: true }
  }

  async function wholeOf(response: HttpResponse): Promise<BodyPart> {
    if (response.isIgnored) return ignored(response)
    return { ...(await decoder.whole(response)), bytes: response.body.length, isLast: true }
  }
}

async function* withLists(
  bodyParts: BodyPart[] | AsyncIterable<BodyPart>,
  readLists: NonNullable<RecordTools['readLists']>,
  partOf: (decoded: BodyPart, lists: Lists) => PagePart,
): AsyncGenerator<PagePart> {
  for await (const decoded of bodyParts) yield partOf(decoded, await readLists(decoded.value))
}

async function* eachAsItArrives<In, Out>(values: AsyncIterable<In>, change: (value: In) => Out): AsyncGenerator<Out> {
  for await (const value of values) yield change(value)
}

/** What an ignored response is shown as: its JSON, or nothing. */
function ignored(response: HttpResponse): BodyPart {
  return { ...peekOrNothing(response), bytes: response.body.length, isLast: true }
}

/**
 * Where earlier pages had a list, `{"message": "…"}` at its place is no record, and `{}` is no empty list: the list is missing. A single
 * object like a record is one, as some APIs write a list of one.
 */
export function openListCheck({
  plan,
  config,
}: Pick<OpenStream, 'plan' | 'config'>): (response: SelectedResponse) => SelectedResponse {
  const path = recordPathOf(plan.selector.extractor, config)
  if (path === null || path.includes('*') || hasItems(plan.decoder)) return (response) => response
  let hadList = false
  let known: readonly string[] | null = null
  return (response) => {
    const { selection, decoded } = response
    if (areOthers(selection.received, known)) return { ...response, selection: selectNothing('missing') }
    known ??= namesOf(selection.received[0])
    if (selection.receivedCount > 1) hadList = true
    if (selection.receivedCount > 1 || selection.list === 'ignored') return response
    const found = followPath(decoded.value, path)
    if (isList(found)) hadList = true
    const isOther =
      isMessage(found) || (isHollow(found) && (selection.list === 'found' || path.length === 0)) || holdsThings(found)
    return hadList && isOther ? { ...response, selection: selectNothing('missing') } : response
  }
}

/** An error as the only member of the list, or members without a value, none of which has a name that records of earlier pages have. */
function areOthers(received: readonly unknown[], known: readonly string[] | null): boolean {
  const [first] = received
  if (known === null || first === undefined) return false
  const isOther = (received.length === 1 && isPlainError(first)) || received.every(isHollow)
  return isOther && isObject(first) && known.every((name) => !Object.hasOwn(first, name))
}

/** Of a record that has values. */
function namesOf(first: unknown): readonly string[] | null {
  return isObject(first) && !isHollow(first) && !isPlainError(first) ? Object.keys(first) : null
}

/** An object around another list, or a map of objects, in place of the list. A record of a list of one has a name of its own. */
function holdsThings(found: unknown): boolean {
  if (!isObject(found) || identityNames.some((name) => Object.hasOwn(found, name))) return false
  const members = Object.values(found)
  return (
    members.some((member) => isList(member) && isObject(member[0])) || (members.length > 0 && members.every(isObject))
  )
}

const identityNames = ['id', '_id', 'uuid', 'guid', 'key', 'name']

/**
 * The responses as one: pagination uses the last response that counts, as in Airbyte. One that an error rule
 * ignores does not end pagination while others bring records.
 */
function wholePage(
  stream: OpenStream,
  responses: readonly [SelectedResponse, ...SelectedResponse[]],
): SelectedResponse {
  const { exchange, decoded } = responses.findLast((one) => !one.exchange.response.isIgnored) ?? responses[0]
  const mergeBy = stream.plan.properties?.chunking?.mergeBy ?? []
  const selections = responses.map(({ selection }) => selection)
  return { exchange, decoded, selection: mergeChunks(selections, mergeBy) }
}
