/** A paginator → what its first and next requests look like, and when pagination stops, in words. */
import { isObject } from '../../../std/values/objects.ts'
import { methodOf, strategyOf } from './methods.ts'

export function methodWords(paginator: unknown): string {
  const strategy = strategyOf(paginator) ?? {}
  const isOnFirst = strategy.inject_on_first_request === true
  switch (methodOf(strategy)) {
    case 'OffsetIncrement':
      return `The first request ${isOnFirst ? 'asks from offset 0' : 'has no offset'}; the offset of each next one grows by the records received. Ends with a page of fewer records than the limit.`
    case 'PageIncrement': {
      const first = Number(strategy.start_from_page ?? 0)
      return `The first request ${isOnFirst ? `asks for page ${first}` : 'has no page number'}; the next ask for page ${first + 1}, ${first + 2} and so on. Ends with a page of fewer records than the page size.`
    }
    case 'CursorPagination': {
      const end =
        strategy.stop_condition === undefined
          ? 'where there is none'
          : 'where there is none, or the stop condition holds'
      return goesToAddress(paginator)
        ? `The first request goes to the path above; each next one to the address that the page before gave. Ends ${end}.`
        : `The first request has no cursor; each next one has the cursor of the page before. Ends ${end}.`
    }
    case 'CustomPaginationStrategy':
      return 'The class says what the first and each next request ask for. Ends where it gives nothing.'
    case null:
      return 'Chooses what asks for the next page.'
  }
}

function goesToAddress(paginator: unknown): boolean {
  const option = isObject(paginator) ? paginator.page_token_option : undefined
  return isObject(option) && (option.type === 'RequestPath' || option.inject_into === 'path')
}
