/** The answers of one page → what is in them, piece by piece where a body is too large to hold. */
import type { JsonRecord } from '../plan/plan.ts'
import { type RecordTools, selectNothing, selectRecords } from '../records/select.ts'
import { peekJson } from '../response/decode.ts'
import type { Part } from '../response/formats/parts.ts'
import type { HttpResponse } from '../response/http-response.ts'
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

/** Makes records of what arrives in one slice. */
export function portionsIn(stream: OpenStream, slice: Slice, tools: RecordTools) {
  const { plan, config, cursor, decoder } = stream
  const isWanted = cursor.isFiltering ? (record: JsonRecord) => cursor.isWanted(record, slice) : null
  const understood = (answer: Answer, decoded: Part): PagePart => ({
    answer,
    decoded,
    selection: answer.response.isIgnored
      ? selectNothing()
      : selectRecords({ stream: plan, config, slice, decoded, isWanted, tools }),
  })

  return async function* (answers: Answers, atOnce: boolean): AsyncGenerator<Portion> {
    const [answer, ...further] = answers
    if (further.length > 0) {
      const parts: PagePart[] = []
      for (const one of answers) parts.push(understood(one, await wholeOf(one.response)))
      const [first, ...others] = parts as [PagePart, ...PagePart[]]
      yield { parts: [first, ...others], whole: wholePage(stream, [first, ...others]), isLast: true }
      return
    }
    const pieces = answer.response.isIgnored ? [ignored(answer.response)] : decoder.parts(answer.response, { atOnce })
    for await (const piece of pieces) {
      const whole = understood(answer, piece)
      yield { parts: [whole], whole, isLast: piece.isLast }
    }
  }

  async function wholeOf(response: HttpResponse): Promise<Part> {
    if (response.isIgnored) return ignored(response)
    return { ...(await decoder.whole(response)), bytes: response.body.length, isLast: true }
  }
}

/** What an ignored answer is shown as: its JSON, or nothing. */
function ignored(response: HttpResponse): Part {
  const { value, hasFloats } = peekJson(response) ?? { value: {}, hasFloats: false }
  return { value, hasFloats, bytes: response.body.length, isLast: true }
}
