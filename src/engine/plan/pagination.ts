/** `paginator` → how pages follow each other. */
import { ConnectorError } from '../../errors.ts'
import type { Component } from '../manifest/manifest.ts'
import { pythonText } from '../template/text.ts'
import type { Template } from '../template/template.ts'
import type { Injection, OffsetPageSize, PaginationPlan, Placement } from './plan.ts'
import {
  componentIn,
  parametersOf,
  type PlanInput,
  placementIn,
  requiredTemplateIn,
  templateIn,
} from './read-fields.ts'

export function planPagination(input: PlanInput, retriever: Component): PaginationPlan {
  const paginator = componentIn(retriever, 'paginator')
  if (paginator === null || paginator.type === 'NoPagination') return { kind: 'none' }

  const strategy = componentIn(paginator, 'pagination_strategy') as Component
  const injection: Injection = {
    at: input.manifest.at(strategy),
    token: placementIn(input, paginator, 'page_token_option'),
    size: placementIn(input, paginator, 'page_size_option'),
    parameters: parametersOf(strategy),
  }
  refuseCollision(injection)
  const plan = planStrategy(input, strategy, injection)
  refuseSizeWithoutValue(input, paginator, plan)
  return plan
}

function planStrategy(input: PlanInput, strategy: Component, injection: Injection): PaginationPlan {
  const injectOnFirst = strategy.inject_on_first_request === true
  switch (strategy.type) {
    case 'OffsetIncrement':
      return { kind: 'offset', pageSize: offsetPageSize(input, strategy, injection), injectOnFirst, ...injection }
    case 'PageIncrement': {
      const firstPage = Number(strategy.start_from_page ?? 0)
      return { kind: 'page', pageSize: fixedPageSize(input, strategy), firstPage, injectOnFirst, ...injection }
    }
    case 'CursorPagination':
      return {
        kind: 'cursor',
        pageSize: fixedPageSize(input, strategy),
        value: requiredTemplateIn(input, strategy, 'cursor_value'),
        stopWhen: templateIn(input, strategy, 'stop_condition'),
        ...injection,
      }
    case 'CustomPaginationStrategy': {
      const { type: _type, class_name, $parameters: _parameters, ...fields } = strategy
      return { kind: 'custom', className: String(class_name), fields, ...injection }
    }
    default:
      throw new ConnectorError('manifest/unsupported-component', `${strategy.type} cannot run yet.`, {
        at: injection.at,
      })
  }
}

/** The page size, known before the first request. Airbyte: 0 counts as none. */
function fixedPageSize(input: PlanInput, strategy: Component): number | null {
  const template = templateIn(input, strategy, 'page_size')
  if (template === null) return null
  return wholeNumber(input, strategy, template) || null
}

/**
 * Airbyte: an offset's page size may look at the response, unless it is also injected:
 * then it must be known before the first request.
 */
function offsetPageSize(input: PlanInput, strategy: Component, injection: Injection): OffsetPageSize {
  const template = templateIn(input, strategy, 'page_size')
  if (template === null) return null
  return injection.size === null ? template : wholeNumber(input, strategy, template) || null
}

function wholeNumber(input: PlanInput, strategy: Component, template: Template): number {
  const value = template.evaluate({ config: input.config, parameters: parametersOf(strategy) })
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw notAPageSize(value, template, input.manifest.at(strategy, 'page_size'))
}

/** Shared with the pagination stage, which meets page sizes that depend on a response. */
export function notAPageSize(value: unknown, template: Template, at: Injection['at']): ConnectorError {
  const found = value === '' || value === undefined ? 'nothing' : `\`${pythonText(value).slice(0, 40)}\``
  const message = `The page size \`${template.source}\` gives ${found}, not a whole number.`
  return new ConnectorError('plan/invalid-page-size', message, { at })
}

function refuseSizeWithoutValue(input: PlanInput, paginator: Component, plan: PaginationPlan): void {
  if (plan.kind === 'none' || plan.kind === 'custom' || plan.size === null || plan.pageSize !== null) return
  const at = input.manifest.at(paginator, 'page_size_option')
  throw new ConnectorError('plan/page-size-missing', 'A page size is to be injected, but the method has none.', { at })
}

function refuseCollision({ token, size, at }: Injection): void {
  if (token === null || size === null || describePlacement(token) !== describePlacement(size)) return
  const message = `page_token_option and page_size_option both write ${describePlacement(token)}.`
  throw new ConnectorError('request/option-collision', message, { at })
}

/** The placement in words, for errors. */
export function describePlacement(placement: Placement): string {
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
