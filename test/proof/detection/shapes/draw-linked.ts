/** APIs that name the whole address of the next page, in a header or in the body. */
import { type Drawing, type Drawn, drawRecordPath, drawSize } from './draw-paging.ts'
import { nextUrls, nextUrlsNested, totals } from './names.ts'
import type { Kind, Next, Paging, Place, Said, Token } from './shape.ts'

export type LinkedKind = Extract<Kind, 'Link header' | `next URL${string}` | 'OData' | 'HAL' | 'JSON:API'>

export function drawLinked(drawing: Drawing, kind: LinkedKind): Drawn {
  const { dice } = drawing
  const { tokens, sizes } = parametersOf(kind)
  const token = tokenIn(drawing, dice.pick(tokens), kind)
  const size = drawSize(dice, dice.chance(0.85) ? query(drawing.name(dice.pick(sizes))) : null)
  const paging: Paging = { token, size, pastEnd: dice.chance(0.85) ? 'empty' : 'not-found' }
  const base = { method: 'GET' as const, paging, needsId: kind === 'JSON:API' || kind === 'HAL' }
  return { ...base, dress: dressOf(kind), ...announced(drawing, kind, token) }
}

const query = (name: string) => ({ into: 'request_parameter' as const, path: [name] })

/** What such addresses have in their query. */
function parametersOf(kind: LinkedKind): { tokens: readonly string[]; sizes: readonly string[] } {
  switch (kind) {
    case 'OData':
      return { tokens: ['=$skiptoken', '=$skip'], sizes: ['=$top'] }
    case 'JSON:API':
      return {
        tokens: ['=page[cursor]', '=page[after]', '=page[number]', '=page[offset]'],
        sizes: ['=page[size]', '=page[limit]'],
      }
    case 'HAL':
      return { tokens: ['page', 'cursor', 'offset'], sizes: ['size', 'limit', 'per page'] }
    case 'Link header':
      return {
        tokens: ['page', 'page', 'page info', 'cursor', 'after', 'since'],
        sizes: ['per page', 'limit', 'page size'],
      }
    default:
      return {
        tokens: ['page', 'offset', 'cursor', 'cursor', 'after', 'page token', 'path'],
        sizes: ['limit', 'page size', 'per page'],
      }
  }
}

function tokenIn({ dice, name }: Drawing, words: string, kind: LinkedKind): Token {
  if (words === 'path') return { counts: 'path' }
  const placed = query(name(words))
  if (/^page$|number/.test(words)) {
    return {
      counts: 'page',
      placed,
      first: kind === 'HAL' && dice.chance(0.5) ? 0 : 1,
      zero: dice.chance(0.5) ? 'alike' : 'refused',
    }
  }
  if (/offset|\$skip$/.test(words)) return { counts: 'offset', placed }
  return { counts: 'cursor', placed, cursor: dice.pick(['opaque', 'opaque', 'signed', 'number']) }
}

function dressOf(kind: LinkedKind): Drawn['dress'] {
  if (kind === 'JSON:API') return 'json-api'
  return kind === 'HAL' ? 'hal' : 'plain'
}

type Announced = Pick<Drawn, 'next' | 'says' | 'recordPath'>

function announced(drawing: Drawing, kind: LinkedKind, token: Token): Announced {
  const { dice, name, resource } = drawing
  const isSigned = token.counts !== 'path' && dice.chance(0.2)
  const link = (at: Place, as: Next['as'], atEnd: Next['atEnd']): Next => ({ at, as, atEnd, isSigned })
  switch (kind) {
    case 'Link header': {
      const says: Said[] = dice.chance(0.25) ? [{ at: ['header', 'X-Total-Count'], what: 'total' }] : []
      return {
        next: link(['header', 'Link'], 'link-header', 'absent'),
        says,
        recordPath: drawRecordPath(drawing, true),
      }
    }
    case 'OData': {
      const [next, list, total] = dice.pick([
        ['@odata.nextLink', ['value'], '@odata.count'],
        ['@odata.nextLink', ['value'], '@odata.count'],
        ['odata.nextLink', ['value'], 'odata.count'],
        ['d.__next', ['d', 'results'], 'd.__count'],
      ] as const)
      const place = (dotted: string): Place => ['body', ...(dotted.startsWith('d.') ? dotted.split('.') : [dotted])]
      const says: Said[] = dice.chance(0.4) ? [{ at: place(total), what: 'total' }] : []
      return { next: link(place(next), 'url', 'absent'), says, recordPath: [...list] }
    }
    case 'HAL': {
      const says = dice.some<Said>(
        [
          { at: ['body', '_links', 'self', 'href'], what: 'self-url' },
          { at: ['body', '_links', 'first', 'href'], what: 'first-url' },
          { at: ['body', '_links', 'last', 'href'], what: 'last-url' },
        ],
        0.6,
      )
      if (dice.chance(0.5))
        says.push(
          { at: ['body', 'page', 'totalElements'], what: 'total' },
          { at: ['body', 'page', 'size'], what: 'size' },
        )
      return {
        next: link(['body', '_links', 'next', 'href'], dice.pick(['url', 'url', 'path']), 'absent'),
        says,
        recordPath: ['_embedded', resource],
      }
    }
    case 'JSON:API': {
      const says = dice.some<Said>(
        [
          { at: ['body', 'links', 'self'], what: 'self-url' },
          { at: ['body', 'links', 'first'], what: 'first-url' },
          { at: ['body', 'links', 'prev'], what: 'previous-url' },
          { at: ['body', 'links', 'last'], what: 'last-url' },
          { at: ['body', 'meta', name(dice.pick(totals))], what: 'total' },
        ],
        0.5,
      )
      const at: Place = dice.chance(0.15) ? ['body', 'links', 'next', 'href'] : ['body', 'links', 'next']
      return {
        next: link(at, dice.pick(['url', 'url', 'path']), at.length === 4 ? 'absent' : dice.pick(['null', 'absent'])),
        says,
        recordPath: ['data'],
      }
    }
    default: {
      const isNested = kind === 'next URL, nested'
      const at: Place = [
        'body',
        ...dice
          .pick(isNested ? nextUrlsNested : nextUrls)
          .split('.')
          .map(name),
      ]
      const as =
        kind === 'next URL, absolute'
          ? 'url'
          : kind === 'next URL, relative'
            ? dice.pick(['path', 'path', 'query'] as const)
            : dice.pick(['url', 'path'] as const)
      const says: Said[] = dice.chance(0.4)
        ? [{ at: [...at.slice(0, -1), name(dice.pick(totals))] as unknown as Place, what: 'total' }]
        : []
      const form = as === 'query' && token.counts === 'path' ? 'path' : as
      return {
        next: link(at, form, dice.pick(['null', 'null', 'absent', 'blank'])),
        says,
        recordPath: drawRecordPath(drawing, false),
      }
    }
  }
}
