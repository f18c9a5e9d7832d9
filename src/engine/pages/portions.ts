/** The answers of one page → what is in them, piece by piece where a body is too large to hold. */
import type { ParsedJson } from '../../json.ts'
import type { JsonRecord } from '../plan/plan.ts'
import { type RecordTools, type Selection, selectNothing, selectRecords } from '../records/select.ts'
import { peekOrNothing } from '../response/decode.ts'
import type { Part } from '../response/formats/parts.ts'
import type { HttpResponse } from '../response/http-response.ts'
import { isWithoutContent } from '../response/rules/expecting-list.ts'
import type { Slice } from '../slices/slice.ts'
import type { Answer, PagePart } from './page.ts'
import type { OpenStream } from './stream.ts'
import { type Answers, wholePage } from './whole-page.ts'

export type Portion = {
  /** The answers as they are shown. */
  readonly parts: readonly [PagePart, ...PagePart[]]
  /** What pagination goes by. */
  readonly whole: PagePart
  /** Whether the page ends with it. */
  readonly isLast: boolean
}

/** The records in what a slice brings, once it is decoded. */
export function recordsIn({ plan, config, cursor }: OpenStream, slice: Slice, tools: RecordTools) {
  const isWanted = cursor.isFiltering ? (record: JsonRecord) => cursor.isWanted(record, slice) : null
  return (decoded: ParsedJson): Selection => selectRecords({ stream: plan, config, slice, decoded, isWanted, tools })
}

/** Makes records of what arrives in one slice. */
export function portionsIn(stream: OpenStream, slice: Slice, tools: RecordTools) {
  const { decoder } = stream
  const select = recordsIn(stream, slice, tools)
  const understood = (answer: Answer, decoded: Part): PagePart => ({
    answer,
    decoded,
    selection: selectionOf(answer.response, decoded),
  })
  const selectionOf = (response: HttpResponse, decoded: Part): Selection => {
    if (response.isIgnored) return selectNothing('ignored')
    const selection = select(decoded)
    // An ignored response that brings records is an ordinary page.
    if (response.lacksList && selection.receivedCount === 0) return { ...selection, list: 'ignored' }
    return isWithoutContent(response) && selection.list === 'missing' ? { ...selection, list: 'null' } : selection
  }

  return (answers: Answers, atOnce: boolean): Portion[] | AsyncIterable<Portion> => {
    const [answer, ...further] = answers
    if (further.length > 0) return together(answers)
    const portionOf = (piece: Part): Portion => {
      const whole = understood(answer, piece)
      return { parts: [whole], whole, isLast: piece.isLast }
    }
    const pieces = answer.response.isIgnored ? [ignored(answer.response)] : decoder.parts(answer.response, { atOnce })
    // Most pages are at hand whole; a generator for each would double what their collecting costs.
    return Array.isArray(pieces) ? pieces.map(portionOf) : eachAsItArrives(pieces, portionOf)
  }

  async function* together(answers: Answers): AsyncGenerator<Portion> {
    const parts: PagePart[] = []
    for (const one of answers) parts.push(understood(one, await wholeOf(one.response)))
    const [first, ...others] = parts as [PagePart, ...PagePart[]]
    yield { parts: [first, ...others], whole: wholePage(stream, [first, ...others]), isLast: true }
  }

  async function wholeOf(response: HttpResponse): Promise<Part> {
    if (response.isIgnored) return ignored(response)
    return { ...(await decoder.whole(response)), bytes: response.body.length, isLast: true }
  }
}

async function* eachAsItArrives<In, Out>(values: AsyncIterable<In>, change: (value: In) => Out): AsyncGenerator<Out> {
  for await (const value of values) yield change(value)
}

/** What an ignored answer is shown as: its JSON, or nothing. */
function ignored(response: HttpResponse): Part {
  return { ...peekOrNothing(response), bytes: response.body.length, isLast: true }
}
