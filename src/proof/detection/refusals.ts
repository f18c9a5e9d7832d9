/** The message of a refusal → the parameters it names: strict APIs list unknown names, and often the known ones. */
import { decodeText } from '../../engine/response/decode.ts'
import { isPagingName } from '../names/paging-names.ts'
import type { ProbeResponse } from './probe-sender.ts'
import { type Slot, type Put, slotKey } from './probe-request.ts'
import { isSlotOf } from './slots.ts'
import { escapePattern } from '../../std/text/escape-pattern.ts'

type Refusal = {
  /** Of what was sent: not known to the API. */
  readonly unknown: readonly Slot[]
  /** Of what was sent: known, but not with this value. */
  readonly known: readonly Slot[]
  /** Names that it offers or asks for. */
  readonly offered: readonly string[]
}

const longest = 4_000

/** A bad request, as opposed to one that is not allowed, not found or too much. */
export function isRefused({ status }: ProbeResponse): boolean {
  return status === 400 || status === 422 || status === 409 || status === 405 || status === 406 || status === 500
}

const offers =
  /\ballowed\b(?! to)|\bsupported\b|\bvalid (?:param|field|name|key|option)|\bexpected\b|\bone of\b|\baccepts?\b|\bpermitted\b|did you mean|\bavailable\b|\brequired\b|\bmissing\b|must (?:provide|include|send|be given)/gi

const ofNames =
  /un(?:known|expected|recogni[sz]ed|supported)|not (?:allowed|supported|permitted|recogni[sz]ed|known|defined)|additional propert|\bextra\b|no such|does not exist|not (?:be )?present|invalid key\b|could not (?:find|be found)|invalid (?:query )?(?:param|field|key|argument|option|name)/i

export function readRefusal(response: ProbeResponse, sent: readonly Slot[]): Refusal {
  const text = refusalText(response)
  const at = offerIn(text)
  const named = sent.filter(({ path }) => path.some((name) => isNamed(text.slice(0, at), name)))
  const isOfNames = ofNames.test(text)
  return {
    unknown: isOfNames ? named : [],
    known: isOfNames ? [] : named,
    offered: [...new Set(wordsIn(text))].filter(
      (word) => isPagingName(word) && isOffered(text, word, at) && !named.some(({ path }) => path.at(-1) === word),
    ),
  }
}

/** APIs check names in order: those before the first unknown one were accepted. */
export function passedBefore(sent: readonly Slot[], { unknown }: Refusal): Slot[] {
  const first = sent.findIndex((slot) => unknown.includes(slot))
  return sent.slice(0, Math.max(0, first))
}

/** Where the list of accepted names begins; the end of the text when there is none. */
function offerIn(text: string): number {
  for (const { 0: word, index } of text.matchAll(offers)) {
    // What is not allowed is no offer; what is not one of some names offers them.
    const isDenied = /\b(?:not|is|are) $/i.test(text.slice(Math.max(0, index - 4), index))
    if (!isDenied || /^one of$/i.test(word)) return index
  }
  return text.length
}

/** `page is required` has the name before the word. */
function isOffered(text: string, word: string, at: number): boolean {
  return (
    isNamed(text.slice(at), word) ||
    new RegExp(`${escapePattern(word)}\\W{0,4}(?:is |are |was )?(?:required|missing)`, 'i').test(text)
  )
}

/** The beginning of it, as it came. */
function refusalText({ response }: ProbeResponse): string {
  if (response === null) return ''
  try {
    return decodeText({ ...response, body: response.body.subarray(0, longest) })
  } catch {
    return ''
  }
}

function isNamed(text: string, name: string): boolean {
  return new RegExp(`(^|[^\\w$-])${escapePattern(name)}($|[^\\w[-])`).test(text)
}

function wordsIn(text: string): string[] {
  return text.match(/[$\w][\w$-]*(?:\[\w+\])?/g) ?? []
}

/** Sizes that are taken, by the key of their parameter. An empty list: others were refused, and no size was named. */
export type TakenSizes = Map<string, readonly number[]>

export function learnSizes(sizes: TakenSizes, response: ProbeResponse, puts: readonly Put[]): void {
  if (!isRefused(response)) return
  const sent = puts.map(({ slot }) => slot).filter((slot) => isSlotOf('size', slot))
  const values = listedIn(refusalText(response))
  for (const slot of readRefusal(response, sent).known) {
    if (values.length > 0 || !sizes.has(slotKey(slot))) sizes.set(slotKey(slot), values)
  }
}

/** The smallest size that shows an effect; null where no other size is accepted. */
export function sizeToAsk(sizes: TakenSizes, slot: Slot, count: number, usual: number): number | null {
  const taken = sizes.get(slotKey(slot))
  if (taken === undefined) return usual
  const fewer = taken.filter((one) => one > 0 && one < count)
  return fewer.length === 0 ? null : Math.min(...fewer)
}

const list =
  /\b(?:one of|allowed|valid|values?|either|from|in|supports?|supported|choose|are|be)\b\D{0,24}?((?:\d{1,5}["'`]?(?:\s*(?:,|\||\/|;|\bor\b|\band\b))+\s*["'`]?)+\d{1,5})/i

/** Two numbers or more, in a row. `between 1 and 100` is a range. */
function listedIn(text: string): number[] {
  const [, numbers = ''] = list.exec(text.replaceAll(/\bbetween\s+\d+\s+and\s+\d+/gi, '')) ?? []
  return [...new Set((numbers.match(/\d+/g) ?? []).map(Number))]
}
