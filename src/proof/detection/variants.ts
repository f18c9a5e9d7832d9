/** A candidate → its variants: for example, some APIs need paging values on the first request too. */
import { isObject } from '../../std/values/objects.ts'
import type { Candidate } from './detection.ts'
import type { Expected } from './reread.ts'

export function variantsOf(candidate: Candidate, expected: Expected): Candidate[] {
  const { paginator } = candidate
  const strategy = paginator?.pagination_strategy
  if (paginator === null || !isObject(strategy)) return [candidate]
  const isCounting = strategy.type === 'PageIncrement' || strategy.type === 'OffsetIncrement'
  const injected: Candidate[] =
    isCounting && strategy.inject_on_first_request !== true
      ? [
          {
            ...candidate,
            paginator: { ...paginator, pagination_strategy: { ...strategy, inject_on_first_request: true } },
          },
        ]
      : []
  return [candidate, ...injected, ...withoutSize(candidate, expected)]
}

/** Where short pages come before the last: pages are requested until one is empty. Only page numbers work without a size. */
export function untilEmpty(candidate: Candidate): Candidate[] {
  const { paginator, facts } = candidate
  const strategy = paginator?.pagination_strategy
  if (paginator === null || !isObject(strategy)) return []
  if (strategy.type !== 'PageIncrement' || strategy.page_size === undefined) return []
  const { page_size_option: _option, ...others } = paginator
  const { page_size: _size, ...rest } = strategy
  return [
    {
      ...candidate,
      says: withoutSizeIn(candidate.says),
      paginator: { ...others, pagination_strategy: rest },
      facts: { ...facts, size: null, pageSize: null, stops: 'when a page has no records' },
    },
  ]
}

/** Where the API names another page on every page: the first one without records is the last. */
export function stoppingAtEmpty(candidate: Candidate): Candidate[] {
  return stoppingWhen(candidate, isEmpty, 'when a page has no records')
}

/** Where the last page names one that came before: it is known by having fewer records than the others. */
export function stoppingAtShort(candidate: Candidate, full: number): Candidate[] {
  return stoppingWhen(candidate, `last_page_size < ${full}`, `when a page has fewer than ${full} records`).map(
    (one) => ({
      ...one,
      evidence: [
        ...one.evidence,
        `the last page leads back to one that came before; it is known by fewer records than ${full}, so a read whose last page has ${full} fails with pagination/loop`,
      ],
    }),
  )
}

function stoppingWhen(candidate: Candidate, condition: string, says: string): Candidate[] {
  const { paginator, facts } = candidate
  const strategy = paginator?.pagination_strategy
  if (paginator === null || !isObject(strategy) || strategy.type !== 'CursorPagination') return []
  const given = typeof strategy.stop_condition === 'string' ? strategy.stop_condition : null
  const [, inner] = /^\{\{ (.*) \}\}$/.exec(given ?? '') ?? []
  if (given?.includes(condition) === true || (given !== null && inner === undefined)) return []
  const stop = inner === undefined ? `{{ ${condition} }}` : `{{ ${condition} or (${inner}) }}`
  return [
    {
      ...candidate,
      paginator: { ...paginator, pagination_strategy: { ...strategy, stop_condition: stop } },
      facts: { ...facts, stops: `${says}, or ${facts.stops.replace(/^when /, '')}` },
    },
  ]
}

const isEmpty = 'last_page_size == 0'

/** Whether it ends only where a response names no next page. Flags and numbers of records have shown their meaning on the first page. */
export function endsByAbsence({ paginator, method }: Candidate): boolean {
  const strategy = paginator?.pagination_strategy
  if (!isObject(strategy) || strategy.type !== 'CursorPagination') return false
  return strategy.stop_condition === undefined || method === 'link-header'
}

/** Without the size parameter: where it is refused, or has another meaning. */
function withoutSize(candidate: Candidate, { first }: Expected): Candidate[] {
  const { paginator, facts } = candidate
  const strategy = paginator?.pagination_strategy
  if (paginator === null || !isObject(strategy) || facts.size === null) return []
  const { page_size_option: _option, ...others } = paginator
  const { page_size: _size, ...rest } = strategy
  const isCounting = strategy.type !== 'CursorPagination'
  const pageSize = first.keys.length
  return [
    {
      ...candidate,
      says: withoutSizeIn(candidate.says),
      paginator: { ...others, pagination_strategy: { ...rest, ...(isCounting && { page_size: pageSize }) } },
      facts: { ...facts, size: null, pageSize, stops: facts.stops.replace(/fewer than \d+/, `fewer than ${pageSize}`) },
    },
  ]
}

function withoutSizeIn(says: string): string {
  return says.replace(/, \d+ a page by .*$/, '')
}
