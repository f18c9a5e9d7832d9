/** `paginator` → how pages follow each other. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import type { Component } from '../manifest/manifest.ts'
import { pythonText } from '../template/text.ts'
import type { Template } from '../template/template.ts'
import type { Injection, PaginationPlan } from './pagination-plan.ts'
import type { Placement } from './plan.ts'
import {
  componentIn,
  parametersOf,
  type PlanInput,
  placementIn,
  requiredComponentIn,
  requiredTemplateIn,
  planCustom,
  templateIn,
  unsupported,
} from './read-fields.ts'

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
    const place = { at: input.manifest.at(paginator, 'page_size_option') }
    throw new ConnectorError('plan/page-size-missing', 'A page size is to be injected, but the method has none.', place)
  }
  const size = isInjected ? { placement: sizePlacement, value: pageSize?.sent ?? null } : null
  return planStrategy(input, strategy, pageSize?.count ?? null, { at, token, size, parameters: parametersOf(strategy) })
}

function planStrategy(
  input: PlanInput,
  strategy: Component,
  pageSize: number | Template | null,
  injection: Injection,
): PaginationPlan {
  const injectOnFirst = strategy.inject_on_first_request === true
  switch (strategy.type) {
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
        ...injection,
      }
    case 'CustomPaginationStrategy':
      return { kind: 'custom', ...planCustom(input, strategy), ...injection }
    default:
      throw unsupported(input, strategy)
  }
}

/** `count` ends the walk, `sent` goes into the request: a quoted size is sent as the text it was written as. */
type PageSize = { readonly count: number | Template; readonly sent: number | string | null }

/**
 * Airbyte: an offset's page size may look at the response, unless it is also injected; every other size must be known
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

/** Shared with the pagination stage, which meets page sizes that depend on a response. */
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
