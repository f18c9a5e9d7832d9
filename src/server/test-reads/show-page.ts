/** A page → the event that is sent at once, and the captured page that is kept. */
import type { StopReason } from '../../engine/pagination/next-page.ts'
import type { Page } from '../../engine/pages/page.ts'
import type { OpenStream } from '../../engine/pages/stream.ts'
import type { PageToken } from '../../engine/request/page-token.ts'
import type { Slice } from '../../engine/slices/slice.ts'
import { parseJson } from '../../std/json.ts'
import type { ShownRequest } from '../wire/exchange.ts'
import type { ReadPage } from '../wire/test-read.ts'
import type { CapturedPage, PagePosition } from './captures.ts'
import { openLongText, openPrinter } from './long-text.ts'
import type { WholePage } from './whole-pages.ts'
import type { JsonRecord } from '../../engine/plan/plan.ts'
import type { Redactor } from '../../engine/secrets/redact.ts'
import { isList, isObject } from '../../std/values/objects.ts'

/** The limit of a body that is sent with its page. */
const shownCharacters = 64 * 1024

type PageFrame = PagePosition & {
  /** When the read started, ms since 1970. */
  readonly began: number
  readonly stop: StopReason | null
  readonly stopWords: string | null
  /** The request as sent; null where none was. */
  readonly asSent: ShownRequest | null
  readonly parts: readonly Page[]
}

export function showTestPage(
  whole: WholePage,
  { redactor }: Pick<OpenStream, 'redactor'>,
  slice: Slice,
  { began, asSent, parts, ...frame }: PageFrame,
): { event: ReadPage; captured: CapturedPage } {
  const { page, response, records, receivedCount, bytes } = whole
  const text = openLongText(openPrinter(response.body, redactor))
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
    captured: { slice, response, records, receivedCount, next: page.next, text, bytes, parts },
  }
}

/** As a JSON value that keeps every digit; secrets are hidden already. */
function shownToken(token: PageToken | null): unknown {
  if (token === null) return null
  return token.exact === undefined ? token.value : parseJson(token.exact).value
}

/** The first records are sent with their page. */
const withPage = { count: 100, characters: 512 * 1024 }

/** As many records as fit; at least one, unless `mayBeEmpty`. */
export function portionOf(
  records: readonly JsonRecord[],
  redactor: Redactor,
  { from = 0, count, characters, mayBeEmpty = false }: PortionLimits,
): JsonRecord[] {
  const portion: JsonRecord[] = []
  let left = characters
  for (let index = from; index < Math.min(from + count, records.length); index++) {
    left -= jsonLength(records[index], left)
    if (left < 0 && (mayBeEmpty || portion.length > 0)) break
    portion.push(redactor.value(records[index]) as JsonRecord)
  }
  return portion
}

type PortionLimits = {
  readonly from?: number
  readonly count: number
  readonly characters: number
  readonly mayBeEmpty?: boolean
}

/** The approximate length of its JSON; stops counting at the limit. */
export function jsonLength(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 2
  let length = 2
  if (isList(value)) {
    for (const item of value) {
      if (length > most) break
      length += jsonLength(item, most - length) + 1
    }
    return length
  }
  if (!isObject(value)) return 8
  for (const name in value) {
    if (length > most) break
    length += name.length + 4 + jsonLength(value[name], most - length)
  }
  return length
}
