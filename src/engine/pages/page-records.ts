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
import type { PageExchange, PagePart } from './page.ts'
import type { OpenStream } from './stream.ts'
import type { PageExchanges } from './request-page.ts'
import { followPath } from '../../std/values/get-at.ts'
import { isList, isObject } from '../../std/values/objects.ts'
import { hasItems } from '../plan/decoder.ts'
import { recordPathOf } from '../records/extract.ts'
import { isHollow, isMessage, isPlainError } from '../response/error-body.ts'

type Portion = {
  /** The responses as they are shown. */
  readonly parts: readonly [PagePart, ...PagePart[]]
  /** What pagination uses. */
  readonly whole: PagePart
  /** Whether the page ends with it. */
  readonly isLast: boolean
}

/** The records in what a slice brings, once it is decoded. */
export function recordSelector({ plan, config, cursor }: OpenStream, slice: Slice, tools: RecordTools) {
  const isWanted = cursor.isFiltering ? (record: JsonRecord) => cursor.isWanted(record, slice) : null
  return (decoded: ParsedJson, lists?: Lists): Selection =>
    selectRecords({ stream: plan, config, slice, decoded, lists, isWanted, tools })
}

/** Makes records of what arrives in one slice. */
export function portionsIn(stream: OpenStream, slice: Slice, tools: RecordTools, signal: AbortSignal) {
  const { plan, decoder } = stream
  const select = recordSelector(stream, slice, tools)
  const understood = (exchange: PageExchange, decoded: BodyPart, lists?: Lists): PagePart => ({
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

  return (exchanges: PageExchanges, atOnce: boolean): Portion[] | AsyncIterable<Portion> => {
    const [exchange, ...further] = exchanges
    if (further.length > 0) return together(exchanges)
    const portionOf = (piece: BodyPart, lists?: Lists): Portion => {
      const whole = understood(exchange, piece, lists)
      return { parts: [whole], whole, isLast: piece.isLast }
    }
    const pieces = exchange.response.isIgnored
      ? [ignored(exchange.response)]
      : decoder.parts(exchange.response, { atOnce })
    const { readLists } = tools
    if (readLists !== undefined && !exchange.response.isIgnored) return withLists(pieces, readLists, portionOf)
    // Most pages have one part; a generator for each would double the cost of garbage collection.
    return Array.isArray(pieces)
      ? pieces.map((piece) => portionOf(piece))
      : eachAsItArrives(arriving(pieces), (piece) => portionOf(piece))
  }

  /** A class that decodes may wait for anything. */
  function arriving(pieces: AsyncIterable<BodyPart>): AsyncIterable<BodyPart> {
    return plan.decoder.kind === 'custom' ? eachUntilAborted(pieces, signal) : pieces
  }

  async function* together(exchanges: PageExchanges): AsyncGenerator<Portion> {
    const parts: PagePart[] = []
    for (const one of exchanges) {
      const decoded = await wholeOf(one.response)
      const lists = one.response.isIgnored ? undefined : await tools.readLists?.(decoded.value)
      parts.push(understood(one, decoded, lists))
    }
    const [first, ...others] = parts as [PagePart, ...PagePart[]]
    yield { parts: [first, ...others], whole: wholePage(stream, [first, ...others]), isLast: true }
  }

  async function wholeOf(response: HttpResponse): Promise<BodyPart> {
    if (response.isIgnored) return ignored(response)
    return { ...(await decoder.whole(response)), bytes: response.body.length, isLast: true }
  }
}

async function* withLists(
  pieces: BodyPart[] | AsyncIterable<BodyPart>,
  readLists: NonNullable<RecordTools['readLists']>,
  portionOf: (piece: BodyPart, lists: Lists) => Portion,
): AsyncGenerator<Portion> {
  for await (const piece of pieces) yield portionOf(piece, await readLists(piece.value))
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
export function openListCheck({ plan, config }: Pick<OpenStream, 'plan' | 'config'>): (part: PagePart) => PagePart {
  const path = recordPathOf(plan.selector.extractor, config)
  if (path === null || path.includes('*') || hasItems(plan.decoder)) return (part) => part
  let hadList = false
  let known: readonly string[] | null = null
  return (part) => {
    const { selection, decoded } = part
    if (areOthers(selection.received, known)) return { ...part, selection: selectNothing('missing') }
    known ??= namesOf(selection.received[0])
    if (selection.receivedCount > 1) hadList = true
    if (selection.receivedCount > 1 || selection.list === 'ignored') return part
    const found = followPath(decoded.value, path)
    if (isList(found)) hadList = true
    const isOther =
      isMessage(found) || (isHollow(found) && (selection.list === 'found' || path.length === 0)) || holdsThings(found)
    return hadList && isOther ? { ...part, selection: selectNothing('missing') } : part
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
 * The parts as one: pagination uses the last response that counts, as in Airbyte. One that an error rule
 * ignores does not end pagination while others bring records.
 */
function wholePage(stream: OpenStream, parts: readonly [PagePart, ...PagePart[]]): PagePart {
  const [first, ...others] = parts
  if (others.length === 0) return first
  const { exchange, decoded } = parts.findLast((part) => !part.exchange.response.isIgnored) ?? first
  const mergeBy = stream.plan.properties?.chunking?.mergeBy ?? []
  const selections = parts.map(({ selection }) => selection)
  return { exchange, decoded, selection: mergeChunks(selections, mergeBy) }
}
