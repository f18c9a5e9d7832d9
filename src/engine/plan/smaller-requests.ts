/** `page_size_reduction` and `request_window_splitting` → how a request that is too large for the API is made smaller. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import type { Component } from '../manifest/manifest.ts'
import type { CursorPlan } from './cursor.ts'
import type { PaginationPlan } from './pagination.ts'
import { componentIn, durationOf, numberIn, type PlanInput } from './read-fields.ts'

/** Smaller pages, for responses with the action REDUCE_PAGE_SIZE. */
export type ReductionPlan = {
  readonly factor: number
  readonly least: number
  /** How many reductions in a row may bring no page. */
  readonly most: number
  /** Before the page is requested again; twice as long after two reductions in a row. */
  readonly waitSeconds: number
  /** How often the smallest page is requested again. */
  readonly triesAtLeast: number
  /** A page that succeeds brings back the size that the manifest names. */
  readonly restores: boolean
  /** What the author says to do when nothing helps. */
  readonly advice: string | null
  readonly at: SourceLocation
}

/** Two halves of a window, for responses with the action SPLIT_REQUEST_WINDOW. */
export type SplittingPlan = {
  /** A window that is not longer stays whole. */
  readonly least: string | null
  readonly advice: string | null
  readonly at: SourceLocation
}

export function planReduction(
  input: PlanInput,
  retriever: Component,
  pagination: PaginationPlan,
): ReductionPlan | null {
  const block = componentIn(retriever, 'page_size_reduction')
  if (block === null) return null
  const at = input.manifest.at(block)
  const why = unfitPages(pagination)
  if (why !== null) throw new ConnectorError('manifest/invalid-value', `\`page_size_reduction\` ${why}.`, { at })
  const numberFrom = (field: string, usual: number, isFit: (value: number) => boolean) => {
    const value = numberIn(input, block, field) ?? usual
    if (isFit(value)) return value
    const message = `\`${field}\` of \`page_size_reduction\` is ${value}, which is too small.`
    throw new ConnectorError('manifest/invalid-value', message, { at: input.manifest.at(block, field) })
  }
  return {
    factor: numberFrom('reduction_factor', 2, (value) => value > 1),
    least: numberFrom('minimum_page_size', 1, (value) => value >= 1),
    most: numberFrom('max_attempts', 5, (value) => value >= 1),
    waitSeconds: numberFrom('backoff_seconds', 0.5, (value) => value >= 0),
    triesAtLeast: numberFrom('retries_at_minimum_page_size', 0, (value) => value >= 0),
    restores: block.reset_policy === 'AFTER_SUCCESSFUL_PAGE',
    advice: (block.failure_message as string | undefined)?.trim() || null,
    at,
  }
}

/** Airbyte: refused too. Smaller pages must not move the page that follows, and the API must hear of them. */
function unfitPages(pagination: PaginationPlan): string | null {
  if (pagination.kind === 'none' || pagination.size === null) return 'needs a paginator with `page_size_option`'
  if (pagination.kind === 'page') return 'cannot go with PageIncrement: smaller pages move every page after them'
  if (pagination.token?.into === 'path')
    return 'cannot go with a link to the next page, which has a page size of its own'
  return null
}

export function planSplitting(input: PlanInput, retriever: Component, cursor: CursorPlan | null): SplittingPlan | null {
  const block = componentIn(retriever, 'request_window_splitting')
  if (block === null) return null
  const at = input.manifest.at(block)
  const why = unfitCursor(cursor)
  if (why !== null) throw new ConnectorError('manifest/invalid-value', `\`request_window_splitting\` ${why}.`, { at })
  const least = (block.min_split_window as string | undefined) || null
  if (least !== null) durationOf(least, input.manifest.at(block, 'min_split_window'))
  return { least, advice: (block.failure_message as string | undefined)?.trim() || null, at }
}

/** Airbyte: refused too. */
function unfitCursor(cursor: CursorPlan | null): string | null {
  if (cursor?.kind !== 'time' || cursor.granularity === null) {
    return 'needs a DatetimeBasedCursor with `cursor_granularity`: without it two halves would overlap'
  }
  return cursor.isClientSide
    ? 'cannot go with `is_client_side_incremental`: each half would send the same request'
    : null
}
