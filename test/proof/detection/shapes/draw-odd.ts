/** A seed → an API that does what no standard foresees, and many servers do. */
import { styled } from '../../../../src/proof/names/name-style.ts'
import { diceOf } from '../../../helpers/dice.ts'
import { drawCounted } from './draw-counted.ts'
import { drawCursor } from './draw-cursor.ts'
import { drawVariables } from './draw-variables.ts'
import { type Drawing, type Drawn, drawRecordPath, drawSize } from './draw-paging.ts'
import { drawStyle, resources } from './names.ts'
import { type OddKind, oddKinds, type Quirk, type Shape } from './shape.ts'
import { shapeWith } from './shape-of.ts'

export function oddShapeOf(seed: number): Shape {
  const dice = diceOf(seed + 100_003)
  const kind = oddKinds[seed % oddKinds.length] as OddKind
  const style = drawStyle(dice)
  const resource = dice.pick(resources)
  const drawing: Drawing = { dice, style, kind, resource, name: (words) => styled(words, style) }
  const { drawn, ...changes } = drawOdd(drawing, kind)
  const shape: Shape = { ...shapeWith(seed, drawing, drawn), ...changes }
  if (shape.quirk?.kind === 'needs-token' && shape.quirk.when === 'with-size') return withoutSize(shape)
  return kind === 'paging values in the request' ? withValues(shape, drawing) : shape
}

/** A request that is given works. */
function withoutSize(shape: Shape): Shape {
  const name = shape.paging?.size.placed?.path[0]
  const query = Object.entries(shape.given.query).filter(([known]) => known !== name)
  return { ...shape, given: { ...shape.given, query: Object.fromEntries(query) } }
}

type Odd = { readonly drawn: Drawn; readonly quirk?: Quirk; readonly unknown?: Shape['unknown'] }

function drawOdd(drawing: Drawing, kind: OddKind): Odd {
  const { dice } = drawing
  switch (kind) {
    case 'needs the page number at once':
      return needingToken(drawing)
    case 'several tokens in one object':
      return inOneObject(drawing)
    case 'another shape once it is paged': {
      const drawn = inQueryOnly(counted(drawing))
      const recordPath = drawn.recordPath.length === 0 ? [drawing.name('items')] : drawn.recordPath
      return {
        drawn: { ...drawn, recordPath },
        quirk: { kind: 'bare-unpaged', isWhole: dice.chance(0.5) },
        unknown: 'ignored',
      }
    }
    case 'refuses unknown columns':
      return {
        drawn: dice.chance(0.65)
          ? inQueryOnly(counted(drawing))
          : inQueryOnly(drawCursor(drawing, 'cursor in the body')),
        unknown: dice.pick(['column', 'column', 'vague']),
      }
    case '_page, _limit, _start':
      return likeJsonServer(drawing)
    case 'GraphQL, any variables':
      return drawVariables(drawing)
    case 'strings or lists as records':
      return {
        drawn: dice.chance(0.5) ? counted(drawing) : drawCursor(drawing, 'cursor in the body'),
        quirk: { kind: 'bare-values', as: dice.pick(['strings', 'strings', 'numbers', 'lists']) },
      }
    case 'paging values in the request':
      return { drawn: counted(drawing) }
  }
}

const countedKinds = [
  'offset, with a total',
  'offset, without a total',
  'page from 1, with total pages',
  'page from 1, without',
  'page from 0, without',
] as const

function counted(drawing: Drawing): Drawn {
  return drawCounted(drawing, drawing.dice.pick(countedKinds))
}

/** Query parameters, as nearly all such servers have them. */
function inQueryOnly(drawn: Drawn): Drawn {
  const { paging } = drawn
  if (paging === null || paging.token.counts === 'path') return drawn
  const placed = { ...paging.token.placed, into: 'request_parameter' as const }
  const path = [placed.path.at(-1) as string]
  const size = paging.size.placed
  return {
    ...drawn,
    method: 'GET',
    paging: {
      ...paging,
      token: { ...paging.token, placed: { ...placed, path } },
      size: { ...paging.size, placed: size && { into: 'request_parameter', path: [size.path.at(-1) as string] } },
    },
  }
}

function needingToken(drawing: Drawing): Odd {
  const { dice } = drawing
  const drawn = inQueryOnly(counted(drawing))
  const token = drawn.paging?.token
  const name = token === undefined || token.counts === 'path' ? '' : (token.placed.path[0] as string)
  const when = dice.pick(['always', 'with-size', 'with-size'] as const)
  const says =
    when === 'always'
      ? dice.pick([`${name} is required`, `The parameter ${name} is missing.`])
      : dice.pick([`${name} is required`, `The parameter ${name} is missing.`, 'Bad request.'])
  return { drawn, quirk: { kind: 'needs-token', when, says } }
}

/** MediaWiki and its like: every member of the object goes back as a parameter of its name. */
function inOneObject(drawing: Drawing): Odd {
  const { dice, name } = drawing
  const [holder, token] = dice.pick([
    [['=continue'], '=cmcontinue'],
    [['=continue'], '=apcontinue'],
    [['=query-continue'], '=rvcontinue'],
    [['continuation'], 'position'],
    [['next page params'], 'after'],
    [['meta', 'next'], 'page token'],
    [['next'], 'start key'],
  ] as const)
  const further: Record<string, string> = dice.pick([
    { continue: '-||' },
    { continue: '-||', rawcontinue: '1' },
    { [name('shard')]: '3' },
    { [name('as of')]: 'v77|2' },
  ])
  const size = drawSize(dice, dice.chance(0.6) ? { into: 'request_parameter', path: [name('limit')] } : null)
  return {
    drawn: {
      method: 'GET',
      paging: {
        token: { counts: 'cursor', placed: { into: 'request_parameter', path: [name(token)] }, cursor: 'opaque' },
        size,
        pastEnd: 'empty',
      },
      says: [],
      next: { at: ['body', ...holder.map(name)], as: 'tokens', atEnd: 'absent', isSigned: false },
      recordPath: drawRecordPath(drawing, false),
      dress: 'plain',
    },
    quirk: { kind: 'tokens', further, isStrict: dice.chance(0.5) },
    unknown: 'ignored',
  }
}

/** Everything without parameters; with them, bare pages with counts in headers, or pages in an object. */
function likeJsonServer(drawing: Drawing): Odd {
  const { dice } = drawing
  const query = (name: string) => ({ into: 'request_parameter' as const, path: [name] })
  const style = dice.pick(['page', 'start', 'wrapped'] as const)
  const usual = dice.pick([10, 10, 20, 25])
  const sizeName = style === 'wrapped' ? '_per_page' : dice.pick(['_limit', '_limit', '_per_page', '_size'])
  const size = { placed: query(sizeName), usual, most: dice.pick([50, 100, 1_000]), above: 'capped' as const }
  const token =
    style === 'start'
      ? { counts: 'offset' as const, placed: query(dice.pick(['_start', '_start', '_offset'])) }
      : { counts: 'page' as const, placed: query('_page'), first: 1 as const, zero: 'alike' as const }
  const isWrapped = style === 'wrapped'
  return {
    drawn: {
      method: 'GET',
      paging: { token, size, pastEnd: isWrapped ? 'clamped' : 'empty' },
      says: isWrapped
        ? [
            { at: ['body', 'pages'], what: 'pages' },
            { at: ['body', 'items'], what: 'total' },
          ]
        : [{ at: ['header', 'X-Total-Count'], what: 'total' }],
      next: isWrapped ? { at: ['body', 'next'], as: 'token', atEnd: 'null', isSigned: false } : null,
      recordPath: isWrapped ? ['data'] : [],
      dress: 'plain',
    },
    ...(dice.chance(0.6) && { quirk: { kind: 'bare-unpaged' as const, isWhole: true } }),
    unknown: 'ignored',
  }
}

/** As it was copied from a browser or a manual: both values, and often those of a later page. */
function withValues(shape: Shape, { dice }: Drawing): Shape {
  const { paging, given } = shape
  if (paging === null || paging.token.counts === 'path') return shape
  const { token, size } = paging
  const page = dice.pick([0, 0, 1, 2])
  const start = token.counts === 'page' ? token.first + page : page * size.usual
  const values = [
    { placed: token.placed, value: start },
    ...(size.placed === null ? [] : [{ placed: size.placed, value: dice.pick([size.usual, size.usual, 5]) }]),
  ]
  const query: Record<string, string> = { ...given.query }
  const form = given.form === null ? null : { ...given.form }
  let json: Record<string, unknown> | null = given.json
  for (const { placed, value } of values) {
    const name = placed.path[0] as string
    if (placed.into === 'request_parameter') query[name] = String(value)
    if (placed.into === 'body_data' && form !== null) form[name] = String(value)
    if (placed.into === 'body_json') json = setIn(json ?? {}, placed.path, value)
  }
  return { ...shape, given: { query, json, form } }
}

function setIn(json: Readonly<Record<string, unknown>>, [name = '', ...rest]: readonly string[], value: unknown) {
  const inner = json[name]
  const within: Readonly<Record<string, unknown>> =
    typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
  const set: Record<string, unknown> = { ...json, [name]: rest.length === 0 ? value : setIn(within, rest, value) }
  return set
}
