/** The words of a refusal → which parameters it names: strict APIs tell what they do not know, and often what they do. */
import { decodeText } from '../../engine/response/decode.ts'
import { looksLikePaging } from '../../from-request/paging-words.ts'
import type { Answer } from './asking.ts'
import type { Slot } from './question.ts'

export type Refusal = {
  /** Of what was sent: not known to the API. */
  readonly unknown: readonly Slot[]
  /** Of what was sent: known, but not with this value. */
  readonly known: readonly Slot[]
  /** Names that it offers or asks for. */
  readonly offered: readonly string[]
}

const longest = 4_000

/** A bad request, as opposed to one that is not allowed, not found or too much. */
export function isRefused({ status }: Answer): boolean {
  return status === 400 || status === 422 || status === 409 || status === 405 || status === 406 || status === 500
}

export function readRefusal(answer: Answer, sent: readonly Slot[]): Refusal {
  const text = textOf(answer)
  const offerAt = text.search(
    /allowed(?! to)|supported(?=[ :])|valid (?:param|field|name|key|option)|expected|one of|accept|permitted|did you mean|available|required|missing|must (?:provide|include|send)/i,
  )
  const isNegated = offerAt > 0 && /\b(not|un|in)[ -]?$/i.test(text.slice(Math.max(0, offerAt - 4), offerAt))
  const before = offerAt < 0 || isNegated ? text : text.slice(0, offerAt)
  const after = offerAt < 0 || isNegated ? '' : text.slice(offerAt)
  const isOfNames =
    /un(known|expected|recogni[sz]ed|supported)|not (?:allowed|supported|permitted|recogni[sz]ed|known|defined)|additional propert|extra|no such|invalid (?:query )?(?:param|field|key|argument|option|name)/i.test(
      text,
    )
  const named = sent.filter(({ path }) => isNamed(before, path))
  return {
    unknown: isOfNames ? named : [],
    known: isOfNames ? [] : named,
    offered: [...new Set(wordsIn(after))].filter(looksLikePaging),
  }
}

function textOf({ response }: Answer): string {
  if (response === null) return ''
  try {
    return decodeText({ ...response, body: response.body.subarray(0, longest) })
  } catch {
    return ''
  }
}

function isNamed(text: string, path: readonly string[]): boolean {
  const name = path.at(-1) ?? ''
  const escaped = name.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
  return new RegExp(`(^|[^\\w$-])${escaped}($|[^\\w[-])`, 'i').test(text)
}

function wordsIn(text: string): string[] {
  return text.match(/[$\w][\w$-]*(?:\[\w+\])?/g) ?? []
}
