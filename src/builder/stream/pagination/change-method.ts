/** A paginator with another method: what both have is kept, what only the old one had goes. */
import { isSame } from '../../../document/value-path.ts'
import { isObject, type Members } from '../../../std/values/objects.ts'
import { type PaginationMethod, methodFacts, paginationMethodOf, strategyOf, usualPageSize } from './methods.ts'
import { usualQuery, optionIn, placementNames, type UsualPlace, withNames } from './placement.ts'

/**
 * @param before the paginator as it is; anything but a `DefaultPaginator` counts as none
 * @param earlier the strategy this stream had when it last used the method
 * @param place where what is new goes
 */
export function changeMethod(
  before: unknown,
  method: PaginationMethod,
  earlier?: unknown,
  place: UsualPlace = usualQuery,
): Members {
  const paginator: Members = isObject(before) && before.type !== 'NoPagination' ? before : {}
  const strategy = strategyOf(paginator)
  const isNew = strategy === undefined
  const hadSize = strategy?.page_size !== undefined
  const isCounted = method === 'OffsetIncrement' || method === 'PageIncrement'
  const isSizeNew = isCounted && !hadSize && paginationMethodOf(strategy) !== 'CustomPaginationStrategy'
  return {
    ...paginator,
    type: 'DefaultPaginator',
    pagination_strategy: {
      ...(isCounted && { page_size: usualPageSize }),
      ...(isObject(earlier) && earlier),
      ...kept(strategy, method),
      type: method,
    },
    page_token_option: isNew ? usualOption(method, 'token', place) : tokenOption(paginator, method, place),
    page_size_option: isSizeNew
      ? (paginator.page_size_option ?? usualOption(method, 'size', place))
      : renamedOption(paginator, method, 'size', place),
  }
}

/** An injection as it is when it is switched on. */
export function usualOption(method: PaginationMethod, what: 'size' | 'token', place: UsualPlace): Members {
  return optionIn(place, methodFacts[method][what].usualName)
}

/** Keys that no method knows are the author's and stay; those of a class go with the class. */
function kept(strategy: Members | undefined, method: PaginationMethod): Members {
  if (strategy === undefined) return {}
  const own = methodFacts[method].keys
  const others = Object.values(methodFacts).flatMap(({ keys }) => keys)
  const isCustom = paginationMethodOf(strategy) === 'CustomPaginationStrategy'
  return Object.fromEntries(
    Object.entries(strategy).filter(([key]) => own.includes(key) || (!isCustom && !others.includes(key))),
  )
}

/** A whole address can only come from a cursor. */
function tokenOption(paginator: Members, method: PaginationMethod, place: UsualPlace): unknown {
  const { page_token_option: option } = paginator
  const isPath = isObject(option) && (option.type === 'RequestPath' || option.inject_into === 'path')
  const isCounted = method === 'OffsetIncrement' || method === 'PageIncrement'
  return isPath && isCounted ? usualOption(method, 'token', place) : renamedOption(paginator, method, 'token', place)
}

/** A proposed name that was not edited is replaced by what the new method proposes. */
function renamedOption(
  paginator: Members,
  method: PaginationMethod,
  what: 'size' | 'token',
  { under }: UsualPlace,
): unknown {
  const option = paginator[what === 'size' ? 'page_size_option' : 'page_token_option']
  const before = paginationMethodOf(strategyOf(paginator))
  if (!isObject(option) || before === null) return option
  const names = placementNames(option) ?? []
  const holder = names.slice(0, -1)
  const isUntouched =
    names.at(-1) === methodFacts[before][what].usualName && (holder.length === 0 || isSame(holder, under))
  return isUntouched ? withNames(option, [...holder, methodFacts[method][what].usualName]) : option
}
