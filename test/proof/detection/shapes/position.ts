/** The values of a request → which records it gets, or why none; and the token of each position. */
import type { AskedValues, Refusal } from './asked.ts'
import { hashOf, idAt } from './records.ts'
import type { Paging, Shape } from './shape.ts'

/** `start` is where its records begin; they may be fewer than `size`. */
export type Position = { readonly start: number; readonly size: number }

export function positionOf(shape: Shape, paging: Paging, { token, size: sizeText }: AskedValues): Position | Refusal {
  const size = sizeOf(paging, sizeText)
  if (typeof size !== 'number') return size
  const start = token === null || token === '' ? 0 : startOf(shape, paging, token, size)
  if (typeof start !== 'number') return start
  const { count } = shape.records
  if (start < count || start === 0) return { start, size }
  switch (paging.pastEnd) {
    case 'empty':
      return { start, size }
    case 'not-found':
      return { status: 404, says: 'There is no such page.' }
    case 'clamped':
      return { start: Math.max(0, Math.floor((count - 1) / size) * size), size }
  }
}

function sizeOf({ size }: Paging, text: string | null): number | Refusal {
  if (text === null) return size.usual
  const wanted = wholeNumber(text)
  if (wanted === null || wanted < 1) return { status: 400, says: 'The page size must be a positive number.' }
  if (wanted <= size.most) return wanted
  return size.above === 'capped'
    ? size.most
    : { status: 400, says: `The page size must be between 1 and ${size.most}.` }
}

function startOf(shape: Shape, { token }: Paging, text: string, size: number): number | Refusal {
  const notKnown: Refusal = { status: 400, says: 'The page is not known.' }
  switch (token.counts) {
    case 'offset':
      return wholeNumber(text) ?? notKnown
    case 'page': {
      const page = wholeNumber(text)
      if (page === null) return notKnown
      if (page >= token.first) return (page - token.first) * size
      return token.zero === 'alike' ? 0 : notKnown
    }
    case 'after':
      return startAfter(shape, text) ?? notKnown
    case 'cursor':
    case 'path':
      return startIn(shape, token.counts === 'path' ? 'signed' : token.cursor, text) ?? notKnown
  }
}

function startAfter({ records, seed }: Shape, text: string): number | null {
  const positions = Array.from({ length: records.count }, (_, index) => index)
  const index = positions.findIndex((one) => String(idAt(records, one, seed)) === text)
  return index < 0 ? null : index + 1
}

/** What the token's parameter takes to bring the records from `start` on. */
export function tokenAt(shape: Shape, { token }: Paging, { start, size }: Position): string | number {
  switch (token.counts) {
    case 'offset':
      return start
    case 'page':
      return token.first + Math.floor(start / size)
    case 'after':
      return idAt(shape.records, start - 1, shape.seed)
    case 'path':
      return cursorAt(shape, 'signed', start)
    case 'cursor':
      return cursorAt(shape, token.cursor, start)
  }
}

type CursorKind = 'opaque' | 'signed' | 'number'

/** Numbers that no arithmetic leads to, so that no one gets by without reading them. */
function cursorAt({ seed }: Shape, kind: CursorKind, start: number): string | number {
  const check = hashOf(`${seed} cursor ${start}`)
  switch (kind) {
    case 'number':
      return start * 1_000 + (Number.parseInt(check.slice(0, 4), 16) % 1_000)
    case 'opaque':
      return Buffer.from(`after:${start}:${check.slice(0, 6)}`).toString('base64')
    case 'signed':
      return `${start.toString(36)}.${check.slice(0, 24)}`
  }
}

function startIn(shape: Shape, kind: CursorKind, text: string): number | null {
  const starts = {
    number: () => Math.floor(Number(text) / 1_000),
    opaque: () => Number(Buffer.from(text, 'base64').toString().split(':')[1]),
    signed: () => Number.parseInt(text.split('.')[0] ?? '', 36),
  }
  const start = starts[kind]()
  return Number.isSafeInteger(start) && String(cursorAt(shape, kind, start)) === text ? start : null
}

function wholeNumber(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}
