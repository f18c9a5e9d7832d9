/** A candidate → the same, and what else it may have to be: some APIs want their paging values from the first request on. */
import { isObject } from '../../members.ts'
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

/** Where pages that are not full come before the last: pages are asked for until one is empty. Only page numbers need no size. */
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
  const { paginator, facts } = candidate
  const strategy = paginator?.pagination_strategy
  if (paginator === null || !isObject(strategy) || strategy.type !== 'CursorPagination') return []
  const given = typeof strategy.stop_condition === 'string' ? strategy.stop_condition : null
  const [, inner] = /^\{\{ (.*) \}\}$/.exec(given ?? '') ?? []
  if (given?.includes(isEmpty) === true || (given !== null && inner === undefined)) return []
  const stop = inner === undefined ? `{{ ${isEmpty} }}` : `{{ ${isEmpty} or (${inner}) }}`
  return [
    {
      ...candidate,
      paginator: { ...paginator, pagination_strategy: { ...strategy, stop_condition: stop } },
      facts: { ...facts, stops: `when a page has no records, or ${facts.stops.replace(/^when /, '')}` },
    },
  ]
}

const isEmpty = 'last_page_size == 0'

/** As many as come unasked: where the size is refused, or has another meaning. */
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
