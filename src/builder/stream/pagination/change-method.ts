/** A paginator with another method: what both have is kept, what only the old one had goes. */
import { isObject, type Members } from '../../../std/values/objects.ts'
import { type PaginationMethod, methodFacts, paginationMethodOf, strategyOf, usualPageSize } from './methods.ts'

/**
 * @param before the paginator as it is; anything but a `DefaultPaginator` counts as none
 * @param earlier the strategy this stream had when it last used the method
 */
export function changeMethod(before: unknown, method: PaginationMethod, earlier?: unknown): Members {
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
    page_token_option: isNew ? usualOption(method, 'token') : tokenOption(paginator, method),
    page_size_option: isSizeNew
      ? (paginator.page_size_option ?? usualOption(method, 'size'))
      : renamedOption(paginator, method, 'size'),
  }
}

/** An injection as it is when it is switched on. */
export function usualOption(method: PaginationMethod, what: 'size' | 'token'): Members {
  return { type: 'RequestOption', inject_into: 'request_parameter', field_name: methodFacts[method][what].usualName }
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
function tokenOption(paginator: Members, method: PaginationMethod): unknown {
  const { page_token_option: option } = paginator
  const isPath = isObject(option) && (option.type === 'RequestPath' || option.inject_into === 'path')
  const isCounted = method === 'OffsetIncrement' || method === 'PageIncrement'
  return isPath && isCounted ? usualOption(method, 'token') : renamedOption(paginator, method, 'token')
}

/** A proposed name that was not edited is replaced by what the new method proposes. */
function renamedOption(paginator: Members, method: PaginationMethod, what: 'size' | 'token'): unknown {
  const option = paginator[what === 'size' ? 'page_size_option' : 'page_token_option']
  const before = paginationMethodOf(strategyOf(paginator))
  if (!isObject(option) || before === null) return option
  const isUntouched = option.field_name === methodFacts[before][what].usualName
  return isUntouched ? { ...option, field_name: methodFacts[method][what].usualName } : option
}
