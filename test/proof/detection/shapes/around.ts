/** What an API has in addition to its paging: records, things that only look like paging, a key, what the asker has at hand. */
import { placedIn } from './asked.ts'
import type { Drawing, Drawn } from './draw-paging.ts'
import type { Beside, FieldKind, Given, Paging, RecordShape, Shape } from './shape.ts'

export function drawRecords({ dice, name }: Drawing, { paging, dress, needsId, next }: Drawn): RecordShape {
  const idKind = dice.weigh([
    [5, 'integer'],
    [3, 'uuid'],
    [3, 'text'],
    [needsId === true ? 0 : 1, null],
  ] as const)
  const idName = dice.weigh([
    [8, 'id'],
    [1, '_id'],
    [1, name('uuid')],
    [1, 'key'],
  ])
  return {
    count: paging === null ? dice.pick([0, 3, 11, 23, 37, 64, 100, 180]) : drawCount({ dice }, paging, next !== null),
    id: idKind === null ? null : { kind: idKind, name: dress === 'plain' ? idName : 'id' },
    order: dice.pick(['ascending', 'ascending', 'descending', 'arbitrary']),
    fields: [
      { name: name('display name'), kind: 'name' },
      ...dice.some(fields, 0.3).map(([words, kind]) => ({ name: name(words), kind })),
    ],
    dress,
  }
}

/** Some of them are there to mislead. */
const fields: readonly (readonly [string, FieldKind])[] = [
  ['status', 'status'],
  ['amount', 'amount'],
  ['created at', 'time'],
  ['next payment date', 'next-date'],
  ['next page', 'next-number'],
  ['total', 'amount'],
  ['count', 'small-number'],
  ['page', 'small-number'],
  ['has more', 'flag'],
  ['next cursor', 'token'],
  ['next', 'url'],
  ['line items', 'list'],
  ['description', 'long-text'],
]

/** Nothing, one page or many. Where the last page comes again and again, one that is full could not be distinguished from the others. */
function drawCount({ dice }: Pick<Drawing, 'dice'>, { size, pastEnd }: Paging, namesNext: boolean): number {
  const { usual, most } = size
  const count = dice.weigh([
    [5, 0],
    [7, Math.ceil(usual / 2)],
    [3, usual],
    [50, Math.round(usual * 2.3)],
    [10, usual * 3],
    [25, usual * 11 - dice.int(0, usual - 1)],
  ])
  if (pastEnd !== 'clamped' || namesNext) return count
  // No size that anybody would ask for divides it.
  let safe = count
  while (safe > 0 && [usual, most, 2, 5].some((one) => safe % one === 0)) safe++
  return safe
}

export function drawBeside({ dice, name }: Drawing, { recordPath, json }: Drawn): Beside[] {
  if (recordPath.length === 0) return []
  const beside = (words: string, value: unknown, parents: readonly string[] = []): Beside => ({
    path: [...parents, name(words)],
    value,
    isFirst: dice.chance(0.5),
  })
  if (json !== undefined) return dice.some([beside('=extensions', { cost: { requested: 12, available: 988 } })], 0.5)
  const many = Array.from({ length: 60 }, (_, index) => ({ type: 'author', id: `a${index}`, name: `Author ${index}` }))
  return dice.some(
    [
      beside('errors', []),
      beside('warnings', ['This version is deprecated.']),
      beside('facets', [
        { name: 'color', count: 12 },
        { name: 'size', count: 7 },
      ]),
      beside('included', many),
      beside('columns', [
        { name: 'id', type: 'int' },
        { name: 'name', type: 'text' },
      ]),
      beside('status', 200),
      beside('took', 14),
      beside('success', true),
      beside('next sync at', '2027-03-01T00:00:00Z'),
      beside('next reset', 1_790_000_000),
      beside('request id', 'req_8f2c91'),
      beside('remaining', 4_998, [name('rate limit')]),
    ],
    0.16,
  )
}

export function drawAround(drawing: Drawing, drawn: Drawn): Pick<Shape, 'method' | 'given' | 'key'> {
  const { dice } = drawing
  const header = dice.pick(['Authorization', 'X-Api-Key', 'X-Auth-Token', 'Api-Key'])
  const secret = `k-${dice.int(100_000, 999_999)}-${dice.int(100_000, 999_999)}`
  const value = header === 'Authorization' ? `Bearer ${secret}` : secret
  const key = dice.chance(0.3) ? { header, value } : null
  return { method: drawn.method, given: drawGiven(drawing, drawn), key }
}

/** An address as a manual shows it: often bare, sometimes with a filter, sometimes with the paging of its example. */
function drawGiven({ dice, name }: Drawing, { method, paging, json }: Drawn): Given {
  if (json !== undefined) return { query: {}, json, form: null }
  const filter = dice.chance(0.2) ? { [name('state')]: 'open' } : {}
  // No one guesses an object within a body: the manual shows it, whole.
  const isNested = paging !== null && placedIn(paging).some(({ path }) => path.length > 1)
  const [isShown, isWhole] = [dice.chance(0.15) || isNested, dice.chance(0.5) || isNested]
  const example = paging !== null && isShown ? exampleOf(paging, isWhole) : []
  const into = paging === null || paging.token.counts === 'path' ? null : paging.token.placed.into
  if (method === 'GET') return { query: { ...filter, ...asQuery(example) }, json: null, form: null }
  if (into === 'body_data') return { query: {}, json: null, form: { q: '*', ...asQuery(example) } }
  const search = { filter: { state: 'open' } }
  if (into === 'request_parameter') return { query: asQuery(example), json: search, form: null }
  return { query: {}, json: { ...search, ...asJson(example) }, form: null }
}

type Example = readonly (readonly [path: readonly string[], value: number])[]

function exampleOf({ token, size }: Paging, isWhole: boolean): Example {
  const sized: Example = size.placed === null || size.placed.into === 'header' ? [] : [[size.placed.path, size.usual]]
  if (!isWhole || (token.counts !== 'page' && token.counts !== 'offset')) return sized
  return [...sized, [token.placed.path, token.counts === 'page' ? token.first : 0]]
}

function asQuery(example: Example): Record<string, string> {
  return Object.fromEntries(example.map(([path, value]) => [path[0] as string, String(value)]))
}

function asJson(example: Example): Record<string, unknown> {
  const json: Record<string, unknown> = {}
  for (const [[name = '', inner], value] of example) {
    json[name] = inner === undefined ? value : { ...(json[name] as object | undefined), [inner]: value }
  }
  return json
}
