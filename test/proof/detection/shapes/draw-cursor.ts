/** APIs that hand out what to ask for next: a cursor, the number of the next page, or the id of the last record. */
import { type Drawing, type Drawn, drawInto, drawRecordPath, drawSize, type Into, placedAs } from './draw-paging.ts'
import {
  afterNames,
  bodyCursors,
  headerCursors,
  moreFlags,
  nextNumbers,
  offsetPairs,
  pagePairs,
  totals,
} from './names.ts'
import type { Next, Place, Said, Token } from './shape.ts'

export type CursorKind = 'cursor in the body' | 'cursor in a header' | 'integer next page'

export function drawCursor(drawing: Drawing, kind: CursorKind): Drawn {
  switch (kind) {
    case 'cursor in the body':
      return drawBodyCursor(drawing)
    case 'cursor in a header':
      return drawHeaderCursor(drawing)
    case 'integer next page':
      return drawNextNumber(drawing)
  }
}

const cursors = ['opaque', 'opaque', 'signed', 'number'] as const

function drawBodyCursor(drawing: Drawing): Drawn {
  const { dice, name } = drawing
  const words = dice.weigh(bodyCursors)
  const { method, into } = drawInto(dice)
  const token = cursorToken(drawing, into, words.token)
  const at: Place = ['body', ...words.at.map(name)]
  const says: Said[] = []
  const flag: Said = { at: ['body', ...words.at.slice(0, -1).map(name), name(dice.pick(moreFlags))], what: 'has-more' }
  const atEnd = dice.weigh<Next['atEnd']>([
    [5, 'null'],
    [4, 'absent'],
    [1, 'blank'],
    [1, 'stays'],
  ])
  if (atEnd === 'stays' || dice.chance(0.35)) says.push(flag)
  if (dice.chance(0.2)) says.push({ at: ['body', name(dice.pick(totals))], what: 'total' })
  const size = drawSize(dice, dice.chance(0.9) ? placedAs(drawing, into, words.size) : null)
  return {
    method,
    paging: { token, size, pastEnd: 'empty' },
    says,
    next: { at, as: 'token', atEnd, isSigned: false },
    recordPath: drawRecordPath(drawing, false),
    dress: 'plain',
    needsId: token.counts === 'after',
  }
}

function drawHeaderCursor(drawing: Drawing): Drawn {
  const { dice, name } = drawing
  const words = dice.weigh(headerCursors)
  const token = cursorToken(drawing, words.into === 'header' ? 'header' : 'request_parameter', words.token)
  const sizeWords = dice.pick(['limit', 'page size', 'per page', 'count'])
  const says: Said[] = dice.chance(0.2) ? [{ at: ['header', 'X-Total-Count'], what: 'total' }] : []
  return {
    method: 'GET',
    paging: {
      token,
      size: drawSize(dice, dice.chance(0.85) ? { into: 'request_parameter', path: [name(sizeWords)] } : null),
      pastEnd: 'empty',
    },
    says,
    next: { at: ['header', words.header], as: 'token', atEnd: dice.chance(0.85) ? 'absent' : 'blank', isSigned: false },
    recordPath: drawRecordPath(drawing, true),
    dress: 'plain',
    needsId: token.counts === 'after',
  }
}

/** Some cursors are nothing but the id of the last record. */
function cursorToken(drawing: Drawing, into: Into, words: string): Token {
  const placed = placedAs(drawing, into, words)
  const { dice } = drawing
  return dice.chance(0.15) ? { counts: 'after', placed } : { counts: 'cursor', placed, cursor: dice.pick(cursors) }
}

/** `next_page: 3`, `next_offset: 40`, or GitLab's header. */
function drawNextNumber(drawing: Drawing): Drawn {
  const { dice, name } = drawing
  const isOffset = dice.chance(0.2)
  const [tokenWords, sizeWords] = isOffset ? dice.weigh(offsetPairs.slice(0, 5)) : dice.weigh(pagePairs.slice(0, 6))
  const isHeader = !isOffset && dice.chance(0.2)
  const { method, into } = isHeader ? { method: 'GET' as const, into: 'request_parameter' as const } : drawInto(dice)
  const placed = placedAs(drawing, into, tokenWords)
  const token: Token = isOffset
    ? { counts: 'offset', placed }
    : { counts: 'page', placed, first: dice.chance(0.85) ? 1 : 0, zero: 'refused' }
  const at: Place = isOffset
    ? ['body', ...dice.pick([[], ['meta'], ['pagination']]).map(name), name(`next ${tokenWords}`)]
    : ['body', ...dice.pick(nextNumbers).split('.').map(name)]
  const size = drawSize(dice, dice.chance(0.9) ? placedAs(drawing, into, sizeWords) : null)
  const echoed: Said[] = dice.chance(0.4)
    ? [{ at: [...at.slice(0, -1), name(tokenWords)] as unknown as Place, what: isOffset ? 'offset' : 'page' }]
    : []
  return {
    method,
    paging: { token, size, pastEnd: dice.chance(0.8) ? 'empty' : 'not-found' },
    says: isHeader
      ? [
          { at: ['header', 'X-Page'], what: 'page' },
          { at: ['header', 'X-Total-Pages'], what: 'pages' },
        ]
      : echoed,
    next: isHeader
      ? { at: ['header', 'X-Next-Page'], as: 'token', atEnd: 'blank', isSigned: false }
      : { at, as: 'token', atEnd: dice.pick(['null', 'null', 'absent']), isSigned: false },
    recordPath: drawRecordPath(drawing, isHeader),
    dress: 'plain',
  }
}

export function drawStartAfter(drawing: Drawing): Drawn {
  const { dice, name } = drawing
  const { method, into } = drawInto(dice)
  const isFlagged = dice.chance(0.85)
  const size = drawSize(
    dice,
    dice.chance(0.9) ? placedAs(drawing, into, dice.pick(['limit', 'limit', 'page size', 'count', 'per page'])) : null,
  )
  return {
    method,
    paging: {
      token: { counts: 'after', placed: placedAs(drawing, into, dice.pick(afterNames)) },
      size,
      pastEnd: 'empty',
    },
    says: isFlagged
      ? [
          {
            at: ['body', ...dice.pick([[], [], ['meta'], ['paging']]).map(name), name(dice.pick(moreFlags))],
            what: 'has-more',
          },
        ]
      : [],
    next: null,
    recordPath: drawRecordPath(drawing, !isFlagged),
    dress: 'plain',
    needsId: true,
  }
}
