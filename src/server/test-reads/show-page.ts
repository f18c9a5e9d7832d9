/** A page that was read → what is told of it at once, and what is kept for whoever wants to see more. */
import type { StopReason } from '../../engine/pagination/next-page.ts'
import type { OpenStream } from '../../engine/pages/stream.ts'
import type { PageToken } from '../../engine/request/page-token.ts'
import type { Slice } from '../../engine/slices/slice.ts'
import { parseJson } from '../../std/json.ts'
import type { ShownRequest } from '../wire/exchange.ts'
import type { ReadPage } from '../wire/test-read.ts'
import type { CapturedPage, PagePlace } from './captures.ts'
import { openLongText } from './long-text.ts'
import { portionOf, withPage } from './portion.ts'
import { openPrinter } from './print-json.ts'
import type { WholePage } from './whole-pages.ts'

/** Of a body, with its page. */
const shownCharacters = 64 * 1024

export type PageFrame = PagePlace & {
  /** When the read began, ms since 1970. */
  readonly began: number
  readonly stop: StopReason | null
  readonly stopWords: string | null
  /** The request as it crossed the wire; null where none did. */
  readonly asSent: ShownRequest | null
}

export function showPage(
  whole: WholePage,
  { redactor }: Pick<OpenStream, 'redactor'>,
  slice: Slice,
  { began, asSent, ...frame }: PageFrame,
): { event: ReadPage; captured: CapturedPage } {
  const { page, answer, records, receivedCount, bytes } = whole
  const text = openLongText(openPrinter(answer.body, redactor))
  const { text: body, isCut } = text.start(shownCharacters)
  const { method, url, headers, body: sent } = page.request
  const { status, url: from, headers: answered } = page.response
  return {
    event: {
      kind: 'page',
      ...frame,
      at: page.timing.askedAt - began,
      tookMs: page.timing.tookMs,
      request: asSent ?? { method, url, headers, body: sent },
      response: { status, url: from, headers: answered, bytes, body, isCut },
      received: receivedCount,
      emitted: records.length,
      records: portionOf(records, redactor, { ...withPage, mayBeEmpty: true }),
      tokenIn: shownToken(page.token),
      tokenOut: shownToken(page.next),
    },
    captured: { slice, answer, records, receivedCount, next: page.next, text, bytes },
  }
}

/** As JSON has it, every digit kept; the page has hidden secrets in it. */
function shownToken(token: PageToken | null): unknown {
  if (token === null) return null
  return token.exact === undefined ? token.value : parseJson(token.exact).value
}
