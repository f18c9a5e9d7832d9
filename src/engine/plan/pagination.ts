/** `paginator` and `pagination_reset` → how pages follow each other, and when they start again. */
import type { StrategyType } from '../manifest/table/pagination.ts'
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import type { CustomPlan } from '../custom/component.ts'
import type { Component } from '../manifest/manifest.ts'
import type { Template } from '../template/template.ts'
import { pythonText } from '../template/text.ts'
import type { Parameters, Placement } from './plan.ts'
import {
  componentIn,
  parametersOf,
  placementIn,
  type PlanInput,
  requiredComponentIn,
  requiredTemplateIn,
  templateIn,
  unsupported,
  planCustom,
} from './read-fields.ts'

export type PaginationPlan =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'offset'; readonly pageSize: OffsetPageSize; readonly injectOnFirst: boolean } & Injection)
  | ({
      readonly kind: 'page'
      readonly pageSize: number | null
      readonly firstPage: number
      readonly injectOnFirst: boolean
    } & Injection)
  | ({
      readonly kind: 'cursor'
      readonly value: Template
      readonly stopWhen: Template | null
      readonly pageSize: number | null
    } & Injection)
  | ({ readonly kind: 'custom' } & CustomPlan & Injection)

/** Airbyte evaluates an offset's page size against each response; the other methods know theirs beforehand. */
export type OffsetPageSize = number | Template | null

/** How the values of one page reach its request. */
export type Injection = {
  readonly at: SourceLocation
  readonly token: Placement | null
  /** The value is null when a custom class knows it. */
  readonly size: { readonly placement: Placement; readonly value: number | string | null } | null
  readonly parameters: Parameters
}

export function planPagination(input: PlanInput, retriever: Component): PaginationPlan {
  const paginator = componentIn(retriever, retriever.type === 'AsyncRetriever' ? 'download_paginator' : 'paginator')
  if (paginator === null || paginator.type === 'NoPagination') return { kind: 'none' }

  const strategy = requiredComponentIn(input, paginator, 'pagination_strategy')
  const at = input.manifest.at(strategy)
  const token = placementIn(input, paginator, 'page_token_option')
  const sizePlacement = placementIn(input, paginator, 'page_size_option')
  refuseCollision(token, sizePlacement, at)

  const isInjected = sizePlacement !== null
  const pageSize = strategy.type === 'CustomPaginationStrategy' ? null : planPageSize(input, strategy, isInjected)
  if (isInjected && pageSize === null && strategy.type !== 'CustomPaginationStrategy') {
    throw noPageSize(input, paginator, strategy)
  }
  const size = isInjected ? { placement: sizePlacement, value: pageSize?.sent ?? null } : null
  return planStrategy(input, strategy, pageSize?.count ?? null, { at, token, size, parameters: parametersOf(strategy) })
}

function noPageSize(input: PlanInput, paginator: Component, strategy: Component): ConnectorError {
  if ((strategy.page_size ?? null) === null) {
    const at = input.manifest.at(paginator, 'page_size_option')
    return new ConnectorError('plan/page-size-missing', 'A page size is to be injected, but the method has none.', {
      at,
    })
  }
  const at = input.manifest.at(strategy, 'page_size')
  const message = 'A page size is to be injected, but `page_size` is 0, which counts as none.'
  return new ConnectorError('plan/page-size-missing', message, {
    at,
    hint: 'Set `page_size` to the number of records that a full page has, or remove `page_size_option`.',
  })
}

function planStrategy(
  input: PlanInput,
  strategy: Component,
  pageSize: number | Template | null,
  injection: Injection,
): PaginationPlan {
  const injectOnFirst = strategy.inject_on_first_request === true
  const method = strategy.type as StrategyType
  switch (method) {
    case 'OffsetIncrement':
      return { kind: 'offset', pageSize, injectOnFirst, ...injection }
    case 'PageIncrement': {
      const firstPage = Number(strategy.start_from_page ?? 0)
      return { kind: 'page', pageSize: pageSize as number | null, firstPage, injectOnFirst, ...injection }
    }
    case 'CursorPagination':
      return {
        kind: 'cursor',
        value: requiredTemplateIn(input, strategy, 'cursor_value'),
        stopWhen: templateIn(input, strategy, 'stop_condition'),
        pageSize: pageSize as number | null,
        ...injection,
      }
    case 'CustomPaginationStrategy':
      return { kind: 'custom', ...planCustom(input, strategy), ...injection }
    default:
      method satisfies never
      throw unsupported(input, strategy)
  }
}

/** `count` decides when pagination stops, `sent` goes into the request: a quoted size is sent as the string it is. */
type PageSize = { readonly count: number | Template; readonly sent: number | string | null }

/**
 * Airbyte: an offset's page size may depend on the response, unless it is also injected; every other size must be known
 * before the first request. A size of 0 counts as none.
 */
function planPageSize(input: PlanInput, strategy: Component, isInjected: boolean): PageSize | null {
  const template = templateIn(input, strategy, 'page_size')
  if (template === null) return null
  if (strategy.type === 'OffsetIncrement' && !isInjected) return { count: template, sent: null }

  const value = template.evaluate({ config: input.config, parameters: parametersOf(strategy) })
  const count = pageSizeOf(value)
  if (count === null) throw notAPageSize(value, template, input.manifest.at(strategy, 'page_size'))
  return count === 0 ? null : { count, sent: value as number | string }
}

/** A whole number, or the digits of one in quotes. */
export function pageSizeOf(value: unknown): number | null {
  if (typeof value === 'string' && /^[0-9]+$/.test(value)) return Number(value)
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null
}

/** Also used by the pagination stage, for page sizes that depend on a response. */
export function notAPageSize(value: unknown, template: Template, at: SourceLocation): ConnectorError {
  const found = value === '' || value === undefined ? 'nothing' : `\`${pythonText(value).slice(0, 40)}\``
  const message = `The page size \`${template.source}\` gives ${found}, not a whole number.`
  return new ConnectorError('plan/invalid-page-size', message, { at })
}

function refuseCollision(token: Placement | null, size: Placement | null, at: SourceLocation): void {
  if (token === null || size === null || describePlacement(token) !== describePlacement(size)) return
  const message = `page_token_option and page_size_option both write ${describePlacement(token)}.`
  throw new ConnectorError('request/option-collision', message, { at })
}

/** The placement in words, for errors. */
function describePlacement(placement: Placement): string {
  switch (placement.into) {
    case 'path':
      return 'the URL'
    case 'json':
      return `\`${placement.path.join('.')}\` in the JSON body`
    case 'query':
      return `the query parameter \`${placement.name}\``
    case 'header':
      return `the header \`${placement.name}\``
    case 'form':
      return `\`${placement.name}\` in the form body`
  }
}

/** What happens to a slice whose pages must start again. */
export type ResetPlan = {
  /** Where the stream has a cursor of time, the slice shrinks to what comes after the newest record seen. */
  readonly splits: boolean
  /** The pages start again after this many records; null when only a response can cause it. */
  readonly maxRecords: number | null
  readonly at: SourceLocation
}

export function planReset(input: PlanInput, retriever: Component): ResetPlan {
  const reset = componentIn(retriever, 'pagination_reset')
  // Airbyte: without the block a response may still cause it, and the slice is read once more.
  if (reset === null) return { splits: false, maxRecords: null, at: input.manifest.at(retriever) }
  return {
    splits: reset.action === 'SPLIT_USING_CURSOR',
    maxRecords: planLimit(input, reset, retriever),
    at: input.manifest.at(reset),
  }
}

function planLimit(input: PlanInput, reset: Component, retriever: Component): number | null {
  const limits = componentIn(reset, 'limits')
  const maxRecords = (limits?.number_of_records as number | undefined | null) ?? null
  if (limits === null || maxRecords === null) return null
  const refuse = (message: string) =>
    new ConnectorError('manifest/invalid-value', message, { at: input.manifest.at(limits, 'number_of_records') })
  if (maxRecords < 1) throw refuse(`\`number_of_records\` is ${maxRecords}, where at least 1 is needed.`)
  // Airbyte: refused too. An API that stops after so many records counts those that the filter drops.
  const selector = componentIn(retriever, 'record_selector')
  if (selector !== null && componentIn(selector, 'record_filter') !== null) {
    throw refuse('A limit on records cannot go with a record filter, which hides how many the API sent.')
  }
  return maxRecords
}
