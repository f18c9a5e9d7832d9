/** The ways in which pages follow each other: what each is called, and which keys it has in the manifest. */
import type { StrategyType } from '../../../engine/manifest/table/pagination.ts'
import { isObject, type Members } from '../../../std/values/objects.ts'

export type PaginationMethod = StrategyType

type MethodFacts = {
  readonly label: string
  readonly keys: readonly string[]
  /** What the size of a page is called: as a field, and within a sentence. */
  readonly size: { readonly label: string; readonly word: string; readonly usualName: string }
  readonly token: { readonly word: string; readonly usualName: string }
}

export const methodFacts: Record<PaginationMethod, MethodFacts> = {
  OffsetIncrement: {
    label: 'Offset Increment',
    keys: ['page_size', 'inject_on_first_request'],
    size: { label: 'Limit', word: 'limit', usualName: 'limit' },
    token: { word: 'offset', usualName: 'offset' },
  },
  PageIncrement: {
    label: 'Page Increment',
    keys: ['page_size', 'start_from_page', 'inject_on_first_request'],
    size: { label: 'Page size', word: 'page size', usualName: 'page_size' },
    token: { word: 'page number', usualName: 'page' },
  },
  CursorPagination: {
    label: 'Cursor Pagination',
    keys: ['cursor_value', 'stop_condition', 'page_size'],
    size: { label: 'Page size', word: 'page size', usualName: 'limit' },
    token: { word: 'cursor', usualName: 'cursor' },
  },
  CustomPaginationStrategy: {
    label: 'Custom Pagination Strategy',
    keys: ['class_name'],
    size: { label: 'Page size', word: 'page size', usualName: 'limit' },
    // As the class that the builder creates counts.
    token: { word: 'cursor', usualName: 'offset' },
  },
}

/** As they are offered. */
export const paginationMethods = Object.keys(methodFacts) as PaginationMethod[]

/** What a paginator without any advice starts with: large enough to be quick, small enough for most APIs. */
export const usualPageSize = 100

export function isPaging(paginator: unknown): boolean {
  return isObject(paginator) && paginator.type !== 'NoPagination'
}

/** Null where the manifest names none that the form knows. A class alone makes a strategy a custom one. */
export function paginationMethodOf(strategy: unknown): PaginationMethod | null {
  if (!isObject(strategy)) return null
  const { type, class_name: className } = strategy
  if (type === undefined && className !== undefined) return 'CustomPaginationStrategy'
  return paginationMethods.find((method) => method === type) ?? null
}

/** Keys that the form has no field for: they stay, and the form says so. */
export function otherKeys(component: unknown, known: readonly string[]): string[] {
  if (!isObject(component)) return []
  return Object.keys(component).filter((key) => key !== 'type' && !key.startsWith('$') && !known.includes(key))
}

export function strategyOf(paginator: unknown): Members | undefined {
  const strategy = isObject(paginator) ? paginator.pagination_strategy : undefined
  return isObject(strategy) ? strategy : undefined
}
