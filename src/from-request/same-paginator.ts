/** Whether two paginators turn pages in the same way: the same method, with the token in the same place. */
import type { Members } from '../std/values/objects.ts'

/** A better page size is no difference. */
export function isSamePaginator(one: Members | null, other: Members | null): boolean {
  return JSON.stringify(essence(one)) === JSON.stringify(essence(other))
}

function essence(paginator: Members | null): unknown {
  const { pagination_strategy: strategy, page_token_option: option } = paginator ?? {}
  const {
    type,
    cursor_value: cursor,
    start_from_page: first = 0,
  } = (strategy ?? {}) as Readonly<Record<string, unknown>>
  const { inject_into: into, field_name: name } = (option ?? {}) as Readonly<Record<string, unknown>>
  return [type, cursor, first, into, name]
}
