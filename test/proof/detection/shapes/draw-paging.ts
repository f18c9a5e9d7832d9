/** A kind of API → how one of its kind paginates: parameters, where it reports about pages, where its records are. */
import type { NameStyle } from '../../../../src/proof/names/name-style.ts'
import type { Dice } from '../../../helpers/dice.ts'
import { type CountedKind, drawCounted } from './draw-counted.ts'
import { type CursorKind, drawCursor, drawStartAfter } from './draw-cursor.ts'
import { drawGraphql } from './draw-graphql.ts'
import { drawLinked, type LinkedKind } from './draw-linked.ts'
import { metas, recordPaths, totals } from './names.ts'
import {
  type Kind,
  type kinds,
  type Next,
  type Paging,
  type Place,
  type Placed,
  type RecordShape,
  type Said,
  type Shape,
} from './shape.ts'

export type Drawing = {
  readonly dice: Dice
  readonly style: NameStyle
  readonly kind: Kind
  readonly resource: string
  /** Words as this API writes them. */
  readonly name: (words: string) => string
}

export type Drawn = {
  readonly path?: string
  readonly method: Shape['method']
  readonly paging: Paging | null
  readonly says: readonly Said[]
  readonly next: Next | null
  readonly recordPath: readonly string[]
  readonly dress: RecordShape['dress']
  /** Whether records must have an id. */
  readonly needsId?: boolean
  readonly json?: Readonly<Record<string, unknown>>
}

export function drawPaging(drawing: Drawing): Drawn {
  const { kind } = drawing
  switch (kind as (typeof kinds)[number]) {
    case 'offset, with a total':
    case 'offset, without a total':
    case 'page from 1, with total pages':
    case 'page from 1, without':
    case 'page from 0, with total pages':
    case 'page from 0, without':
      return drawCounted(drawing, kind as CountedKind)
    case 'cursor in the body':
    case 'cursor in a header':
    case 'integer next page':
      return drawCursor(drawing, kind as CursorKind)
    case 'start after, has more':
      return drawStartAfter(drawing)
    case 'GraphQL':
      return drawGraphql(drawing)
    case 'Link header':
    case 'next URL, absolute':
    case 'next URL, relative':
    case 'next URL, nested':
    case 'OData':
    case 'HAL':
    case 'JSON:API':
      return drawLinked(drawing, kind as LinkedKind)
    case 'not paginated':
      return drawWhole(drawing)
  }
}

/** Everything at once; some such APIs count it, and some call it the first of one page. */
function drawWhole(drawing: Drawing): Drawn {
  const { dice, name } = drawing
  const recordPath = drawRecordPath(drawing, true)
  const hasBody = recordPath.length > 0
  const at = drawMeta(drawing)
  const says: Said[] = []
  if (hasBody && dice.chance(0.4)) says.push({ at: at(dice.pick(totals)), what: 'total' })
  if (hasBody && dice.chance(0.1)) says.push({ at: ['body', name('has more')], what: 'has-more' })
  if (!hasBody && dice.chance(0.2)) says.push({ at: ['header', 'X-Total-Count'], what: 'total' })
  const method = dice.chance(0.1) ? 'POST' : 'GET'
  return { method, paging: null, says, next: null, recordPath, dress: 'plain' }
}

/** `mayBeBare`: nothing has to be next to the records. */
export function drawRecordPath({ dice, name, resource }: Drawing, mayBeBare: boolean): string[] {
  if (mayBeBare && dice.chance(0.4)) return []
  if (dice.chance(0.15)) return [resource]
  return dice.pick(recordPaths).split('.').map(name)
}

/** Where this API speaks about pages: always in the same object. */
export function drawMeta({ dice, name }: Drawing): (words: string) => Place {
  const meta = dice.pick(metas)
  return (words) => ['body', ...(meta === '' ? [] : [name(meta)]), name(words)]
}

export type Into = Placed['into']

/** How the parameters travel. */
export function drawInto(dice: Dice): { method: Shape['method']; into: Into } {
  return dice.weigh([
    [84, { method: 'GET', into: 'request_parameter' }],
    [3, { method: 'POST', into: 'request_parameter' }],
    [10, { method: 'POST', into: 'body_json' }],
    [3, { method: 'POST', into: 'body_data' }],
  ])
}

/** In a JSON body `page[size]` is a member of `page`, and a `$` means nothing. */
export function placedAs({ name }: Drawing, into: Into, words: string): Placed {
  const written = name(words)
  if (into !== 'body_json') return { into, path: [written] }
  return { into, path: written.split(/[$[\]]+/).filter((part) => part !== '') }
}

export function drawSize(dice: Dice, placed: Placed | null): Paging['size'] {
  const usual = dice.pick([5, 7, 10, 10, 12, 15, 20, 20, 25, 30, 50])
  const most = Math.max(usual, dice.pick([usual, usual * 2, 50, 100, 100, 200, 250, 500, 1000]))
  return { placed, usual, most, above: dice.chance(0.75) ? 'capped' : 'refused' }
}
