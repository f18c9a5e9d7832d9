/** Streams that are read in parts: totals of the part or of the whole, windows of time, parts without records. */
import type { Dice } from '../../helpers/dice.ts'
import { offsetPaginator, option } from '../../helpers/manifests.ts'
import type { Handler } from '../../helpers/serve-api.ts'
import {
  type Around,
  byOffset,
  type CountedPage,
  countedAnswer,
  drawData,
  type Family,
  type HealthyApi,
  keyed,
  type Row,
} from './healthy-api.ts'

type Sliced = { readonly parts: readonly (readonly Row[])[]; readonly size: number }

/** Some shops with records of their own, some without. */
function drawParts(dice: Dice): Sliced {
  const size = dice.int(2, 6)
  let id = 0
  const part = () => Array.from({ length: dice.chance(0.2) ? 0 : dice.int(1, size * 3) }, () => ({ id: ++id }))
  return { size, parts: Array.from({ length: dice.int(2, 5) }, part) }
}

/** `whole`: the number of records in all parts. */
function byShop({ parts, size }: Sliced, around: (page: CountedPage, whole: number) => Around): HealthyApi {
  const whole = parts.flat().length
  const answer: Handler = (query) => {
    const rows = parts[Number(query.get('shop'))] ?? []
    return countedAnswer({ size, rows }, Number(query.get('offset') ?? 0), (page) => around(page, whole))
  }
  const partition_router = {
    type: 'ListPartitionRouter',
    values: parts.map((_, index) => String(index)),
    cursor_field: 'shop',
    request_option: option('request_parameter', 'shop'),
  }
  const paginator = offsetPaginator({ page_size: size })
  return {
    routes: { 'GET /items': answer },
    parts: { paginator, ...keyed, retriever: { partition_router } },
    records: whole,
  }
}

/** One window a day. */
function byDay(dice: Dice, around: (page: CountedPage, whole: number) => Around): HealthyApi {
  const { parts, size } = drawParts(dice)
  const dayOf = (index: number) => `2024-01-0${index + 1}`
  const dated = parts.map((rows, index) => rows.map((row) => ({ ...row, day: dayOf(index) })))
  const whole = dated.flat().length
  const answer: Handler = (query) => {
    const rows = dated[Number(query.get('since')?.slice(-2)) - 1] ?? []
    return countedAnswer({ size, rows }, Number(query.get('offset') ?? 0), (page) => around(page, whole))
  }
  const incremental_sync = {
    type: 'DatetimeBasedCursor',
    cursor_field: 'day',
    datetime_format: '%Y-%m-%d',
    start_datetime: dayOf(0),
    end_datetime: dayOf(parts.length),
    step: 'P1D',
    cursor_granularity: 'P1D',
    start_time_option: option('request_parameter', 'since'),
    end_time_option: option('request_parameter', 'until'),
  }
  const paginator = offsetPaginator({ page_size: size })
  return {
    routes: { 'GET /items': answer },
    parts: { paginator, stream: { primary_key: 'id', incremental_sync } },
    records: whole,
  }
}

export const slices: Family[] = [
  ['parts that say nothing', (dice) => byShop(drawParts(dice), () => ({}))],
  ['parts with totals of their own', (dice) => byShop(drawParts(dice), ({ count }) => ({ body: { total: count } }))],
  ['parts that share one total', (dice) => byShop(drawParts(dice), (_, whole) => ({ body: { total: whole } }))],
  [
    'parts that share one total of more than is wanted',
    (dice) => byShop(drawParts(dice), (_, whole) => ({ body: { total: whole + 40 } })),
  ],
  [
    'parts that share one number of pages',
    (dice) => byShop(drawParts(dice), (_, whole) => ({ body: { total_pages: whole + 2, page: 1 } })),
  ],
  ['parts with has_more', (dice) => byShop(drawParts(dice), ({ isLast }) => ({ body: { has_more: !isLast } }))],
  ['days with totals of their own', (dice) => byDay(dice, ({ count }) => ({ body: { total: count } }))],
  ['days that share one total', (dice) => byDay(dice, (_, whole) => ({ body: { total: whole } }))],
  [
    'the same records in two parts',
    (dice) => {
      const { size, rows } = drawData(dice)
      return byShop({ parts: [rows, rows], size }, ({ count }) => ({ body: { total: count } }))
    },
  ],
  ['one page, and no paging', (dice) => withoutPaging(dice, () => ({}))],
  [
    'one page with its total, and no paging',
    (dice) => withoutPaging(dice, ({ count }) => ({ body: { total: count } })),
  ],
  [
    'one page that says it is the only one',
    (dice) => withoutPaging(dice, () => ({ body: { has_more: false, next: null } })),
  ],
]

function withoutPaging(dice: Dice, around: (page: CountedPage) => Around): HealthyApi {
  const { rows } = drawData(dice)
  const { routes, records } = byOffset({ size: Math.max(1, rows.length), rows }, around)
  return { routes, records, parts: keyed }
}
