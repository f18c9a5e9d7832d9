/** A retriever of the manifest → what an API must know to turn its pages: how many, how long, where records lie. */
import type { Component } from '../../engine/manifest/manifest.ts'
import { asComponent, textField } from './find-components.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { parametersOf } from '../../engine/plan/read-fields.ts'
import type { Role } from './endpoint.ts'
import { evaluateAtFixedTime, textOr } from './evaluate-at-fixed-time.ts'
import { leavesOf } from './field-sources.ts'
import { type Read, readsOf } from './template-reads.ts'
import type { MirrorPath } from './put-value.ts'

export type Paging = {
  readonly requester: Component
  readonly strategy: Component | null
  /** Whether requests carry a page token. Without one, the API has one page. */
  readonly hasPageToken: boolean
  /** The next page is requested by its address. */
  readonly isLink: boolean
  readonly config: Config
  readonly size: number | null
  /** Where the records are in the body. */
  readonly recordsAt: MirrorPath
  /** A single record instead of a list, since the paginator reads its members. */
  readonly isSingle: boolean
}

export function pagingOf(retriever: Component, config: Config): Paging {
  const requester = retriever.requester as Component
  const paginator = asComponent(retriever.paginator)
  const strategy = asComponent(paginator?.pagination_strategy)
  const recordsAt = recordsPath(asComponent(asComponent(retriever.record_selector)?.extractor), config)
  const reads = strategy?.type === 'CursorPagination' ? cursorReads(strategy, config) : []
  return {
    requester,
    strategy,
    hasPageToken: strategy !== null && sendsToken(requester, paginator),
    config,
    recordsAt,
    isLink: asComponent(paginator?.page_token_option)?.type === 'RequestPath',
    size: strategy === null ? null : sizeOf(strategy, config),
    isSingle: reads.some(
      ({ root, path }) =>
        root === 'response' && isWithin(path, recordsAt) && typeof path[recordsAt.length] === 'string',
    ),
  }
}

function recordsPath(extractor: Component | null, config: Config): MirrorPath {
  const scope = { config, parameters: extractor === null ? {} : parametersOf(extractor) }
  return ((extractor?.field_path as unknown[] | undefined) ?? []).map((key) => textOr(key, scope))
}

function sendsToken(requester: Component, paginator: Component | null): boolean {
  return paginator?.page_token_option !== undefined || JSON.stringify(requester).includes('next_page_token')
}

function sizeOf(strategy: Component, config: Config): number | null {
  try {
    const scope = { config, parameters: parametersOf(strategy), response: {} }
    const size = Number(evaluateAtFixedTime(textField(strategy, 'page_size'), scope))
    return Number.isInteger(size) && size > 0 ? size : null
  } catch {
    return null
  }
}

/** What the cursor and its stop condition read. */
function cursorReads(strategy: Component | null, config: Config): readonly Read[] {
  const known = { config, parameters: strategy === null ? {} : parametersOf(strategy) }
  return readsOf(`${textField(strategy, 'cursor_value')}${textField(strategy, 'stop_condition')}`, known).reads
}

/** Fields of the last record that the paginator reads: `last_record['id']`, `response.entries[-1].uuid`. */
export function lastRecordReads({ strategy, recordsAt, config }: Paging): MirrorPath[] {
  const found = cursorReads(strategy, config).flatMap(({ root, path }) => {
    if (root === 'last_record') return [path]
    const isInList =
      root === 'response' &&
      recordsAt.length > 0 &&
      isWithin(path, recordsAt) &&
      typeof path[recordsAt.length] === 'number'
    return isInList ? [path.slice(recordsAt.length + 1)] : []
  })
  return leavesOf(found.filter((path) => path.length > 0))
}

/** The last record of a page says where the next one begins: the API does not choose the token. */
export function isKeyed(paging: Paging): boolean {
  return lastRecordReads(paging).length > 0
}

/** Whether the path leads to `place`, or into it. */
export function isWithin(path: MirrorPath, place: MirrorPath): boolean {
  return path.length > place.length && place.every((key, index) => key === path[index])
}

export function isCounted({ strategy }: Paging): boolean {
  return strategy?.type === 'OffsetIncrement' || strategy?.type === 'PageIncrement'
}

/** The number of pages of the first read of a stream; later reads, and parents, have as few as possible. */
export const manyPages = 3

export function pagesOf(paging: Paging, role: Role, read: number): number {
  const { hasPageToken, size } = paging
  if (!hasPageToken) return 1
  if (role === 'own' && read === 0) return manyPages
  // Only an empty page ends a read without a page size, or with one of 1.
  if (isCounted(paging)) return size === null || size === 1 ? 2 : 1
  return role === 'parent' && read === 0 ? 2 : 1
}

/** How many records a page may have, the likeliest first. */
export function countsOf(paging: Paging, role: Role, page: number, hasNext: boolean): number[] {
  const { strategy, size } = paging
  const few = role === 'parent' ? 2 : 3
  if (strategy === null) return [few]
  if (paging.isSingle) return [1]
  if (isCounted(paging)) {
    if (hasNext) return [size ?? few]
    return [size === null || size === 1 ? (page === 1 ? 1 : 0) : Math.min(few, size - 1)]
  }
  const { constants } = readsOf(textField(strategy, 'stop_condition'))
  const limits = [size ?? few, ...constants.map(Number)].filter(
    (limit) => Number.isInteger(limit) && limit > few && limit <= 10_000,
  )
  // A parent with a full page would have a child for each of its records.
  if (hasNext) return role === 'own' ? [few, ...limits] : [few]
  return [few - 1, 1, 0]
}

/** Puts records under their path. `*` is a list; at the top an object, since a list there is split. */
export function pageBody({ recordsAt, isSingle }: Paging, records: readonly unknown[]): unknown {
  const found: unknown = isSingle ? (records[0] ?? {}) : records
  return recordsAt.reduceRight<unknown>((inner, key, index) => {
    if (key !== '*') return { [key]: inner }
    const members: readonly unknown[] = index === recordsAt.length - 1 && !isSingle ? records : [inner]
    return index > 0 ? members : Object.fromEntries(members.map((member, place) => [`member${place}`, member]))
  }, found)
}
