/** Every filter by its name: Jinja's, with Airbyte's on top. */
import { airbyteFilters } from './airbyte-filters.ts'
import type { Filters } from './filter.ts'
import { jsonFilters } from './json-filters.ts'
import { layoutFilters } from './layout-filters.ts'
import { markupFilters } from './markup-filters.ts'
import { numberFilters } from './number-filters.ts'
import { sequenceFilters } from './sequence-filters.ts'
import { textFilters } from './text-filters.ts'
import { itemFilters } from './item-filters.ts'

let all: Filters | undefined

// Built on first use: `map` applies other filters, so the tables know each other.
export function allFilters(): Filters {
  all ??= new Map([
    ...sequenceFilters,
    ...itemFilters,
    ...textFilters,
    ...layoutFilters,
    ...markupFilters,
    ...numberFilters,
    ...jsonFilters,
    ...airbyteFilters,
  ])
  return all
}
