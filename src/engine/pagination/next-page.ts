/** Page just read → the token of the next page, or why there is none. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import { plainNumbers } from '../../std/json.ts'
import { notAPageSize, pageSizeOf, type PaginationPlan } from '../plan/pagination.ts'
import type { Config, JsonRecord, Parameters } from '../plan/plan.ts'
import { pageToken, type PageToken, tokenValue } from '../request/page-token.ts'
import { isBarePath, resolveUrl } from '../request/url.ts'
import { AttributedDict } from '../template/host.ts'
import type { Scope, Template } from '../template/template.ts'
import { isTruthy, pythonText } from '../template/text.ts'
import { headersForTemplates } from './link-header.ts'
import { isFullPage, warnMissingPaths } from './missing-cursor-paths.ts'
import { runCustom } from '../custom/component.ts'
import { atOnce, unfit } from '../custom/check-returned.ts'
import type { PageContext, PaginationStrategy } from './strategy.ts'

/** Why a slice ended. */
export type StopReason =
  | 'short-page'
  | 'empty-page'
  | 'no-cursor'
  | 'stop-condition'
  | 'strategy'
  | 'limit'
  | 'not-paginated'
  /** An error rule of the manifest takes the response for the end. */
  | 'ignored'
  /** A job completed, and its response names no download. */
  | 'nothing-to-download'
  /** A data feed came to records that an earlier read has brought. */
  | 'read-before'
  | 'error'

export type NextPage =
  | { readonly token: PageToken; readonly stop: null }
  | { readonly token: null; readonly stop: StopReason }

/** What a page says about the next page. */
export type PageOutcome = {
  readonly token: PageToken | null
  readonly url: string
  /** The decoded body. */
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  /** Counted before filters: a filter must not end pagination early. */
  readonly receivedCount: number
  readonly received: readonly JsonRecord[]
  /** Its size, where it was requested smaller than the manifest says. */
  readonly size?: number | null
}

type NextPageTools = {
  readonly config: Config
  readonly strategy: PaginationStrategy | null
  readonly streamName: string
  /** Receives what an author would want to know about the templates of a cursor; nothing is lost without it. */
  readonly warn?: (text: string) => void
}

/** The token the first request of a slice carries, or null when it carries none. */
export function firstToken(plan: PaginationPlan, strategy: PaginationStrategy | null): PageToken | null {
  switch (plan.kind) {
    case 'offset':
      return plan.injectOnFirst ? { value: 0 } : null
    case 'page':
      return plan.injectOnFirst ? { value: plan.firstPage } : null
    case 'custom': {
      const value = runCustom(plan, () => ownToken(strategy?.initialToken()))
      return value === null ? null : pageToken(value, linkOf(value, plan))
    }
    case 'none':
    case 'cursor':
      return null
  }
}

/** The page size that requests of this plan carry. */
export function requestedSize(plan: PaginationPlan, strategy: PaginationStrategy | null): number | string | null {
  if (plan.kind === 'none' || plan.size === null) return null
  return plan.kind === 'custom' ? runCustom(plan, () => ownSize(strategy?.pageSize)) : plan.size.value
}

function ownSize(given: unknown): number | string | null {
  if (given === null || given === undefined) return null
  if (typeof given === 'string' || (typeof given === 'number' && Number.isFinite(given))) return given
  throw unfit(given, 'a number as its `pageSize`')
}

export function nextPage(plan: PaginationPlan, page: PageOutcome, tools: NextPageTools): NextPage {
  switch (plan.kind) {
    case 'none':
      return { token: null, stop: 'not-paginated' }
    case 'offset': {
      const size = page.size ?? offsetSize(plan, page, tools)
      return countedNext(page, size, () => wholeToken(page, 0, plan) + page.receivedCount)
    }
    case 'page':
      return countedNext(page, plan.pageSize, () => wholeToken(page, plan.firstPage, plan) + 1)
    case 'cursor':
      return cursorNext(plan, page, tools)
    case 'custom':
      return customNext(plan, page, tools)
  }
}

function countedNext({ receivedCount }: PageOutcome, pageSize: number | null, next: () => number): NextPage {
  if (receivedCount === 0) return { token: null, stop: 'empty-page' }
  if (pageSize !== null && receivedCount < pageSize) return { token: null, stop: 'short-page' }
  // Airbyte: a token of 0 ends pagination; it can only come from a first page of -1.
  const value = next()
  return value === 0 ? { token: null, stop: 'strategy' } : { token: { value }, stop: null }
}

function wholeToken({ token }: PageOutcome, omitted: number, { at }: { at: SourceLocation }): number {
  if (token === null) return omitted
  if (token.exact === undefined && Number.isSafeInteger(token.value)) return token.value as number
  throw new ConnectorError('pagination/not-a-number', `The page token is \`${pythonText(token.value)}\`.`, { at })
}

type PlanOf<Kind extends PaginationPlan['kind']> = Extract<PaginationPlan, { kind: Kind }>

function offsetSize(
  { pageSize, parameters, at }: PlanOf<'offset'>,
  { body }: PageOutcome,
  { config }: NextPageTools,
): number | null {
  if (pageSize === null || typeof pageSize === 'number') return pageSize
  const value = pageSize.evaluate({ config, parameters, response: responseForTemplates(body) })
  const count = pageSizeOf(value)
  if (count === null) throw notAPageSize(value, pageSize, at)
  return count
}

function cursorNext(plan: PlanOf<'cursor'>, page: PageOutcome, tools: NextPageTools): NextPage {
  const scope = cursorScope(page, { ...tools, parameters: plan.parameters, pageSize: plan.pageSize })
  const next = cursorIn(plan, page, scope)
  if (tools.warn !== undefined) {
    const isFull = next.stop === 'no-cursor' && isFullPage(plan, page)
    warnMissingPaths(plan, scope, isFull ? 'full-page' : next.token === null ? 'ended' : 'not-yet', tools.warn)
  }
  return next
}

function cursorIn(plan: PlanOf<'cursor'>, page: PageOutcome, scope: Scope): NextPage {
  // Airbyte: a missing chain is false, and looking into nothing (`'next' in headers.get('Link')`) is true.
  if (plan.stopWhen !== null && stops(plan.stopWhen, scope) && !isOnlySmaller(plan, plan.stopWhen, page, scope))
    return { token: null, stop: 'stop-condition' }
  // Airbyte: ends on any falsy cursor, so `0`, `False` and `{}` stop here too. A last page without its envelope is none.
  const value = plan.value.evaluateOr(null, scope)
  return isTruthy(value) ? { token: tokenOf(value, plan, page), stop: null } : { token: null, stop: 'no-cursor' }
}

function stops(condition: Template, scope: Scope): boolean {
  return condition.evaluateOr(true, scope, 'boolean') === true
}

/** A page that is as long as it was requested, taken for a short one since the manifest names a larger size. */
function isOnlySmaller({ pageSize }: PlanOf<'cursor'>, stopWhen: Template, page: PageOutcome, scope: Scope): boolean {
  const { size = null, receivedCount } = page
  if (size === null || pageSize === null || receivedCount < size) return false
  return !stops(stopWhen, { ...scope, last_page_size: pageSize })
}

function customNext(plan: PlanOf<'custom'>, page: PageOutcome, { config, strategy }: NextPageTools): NextPage {
  const context = contextOf(page, config)
  const value = runCustom(plan, () => ownToken((strategy as PaginationStrategy).nextPageToken(context)))
  return value === null ? { token: null, stop: 'strategy' } : { token: tokenOf(value, plan, page), stop: null }
}

/** Copies, made when they are used: what a strategy changes in them changes neither records nor what the API claims. */
function contextOf(
  { body, headers, token, received, receivedCount, size = null }: PageOutcome,
  config: Config,
): PageContext {
  let response: { readonly copy: unknown } | null = null
  let records: JsonRecord[] | null = null
  const copied = () => (records ??= plainNumbers(received) as JsonRecord[])
  return {
    get response() {
      response ??= { copy: plainNumbers(body) }
      return response.copy
    },
    headers: { ...headers },
    config,
    token: token === null ? null : tokenValue(token),
    lastPageSize: receivedCount,
    reducedPageSize: size,
    get lastRecord() {
      return copied().at(-1) ?? null
    },
    get lastRecords() {
      return copied()
    },
  }
}

/** A strategy that returns true says that there are more pages, but not which one is next. */
function ownToken(given: unknown): {} | null {
  const token = atOnce(given) ?? null
  const isToken = token === null || typeof token === 'object' || ['string', 'number', 'bigint'].includes(typeof token)
  if (!isToken || Number.isNaN(token)) throw unfit(token, 'a token, or null for the end')
  return token
}

/**
 * A link is resolved here, against the page that named it, so that the token is complete by itself. A bare path
 * (`6/info.0.json`) is joined to `url_base`, which only the request knows: request.ts.
 */
function tokenOf(value: unknown, plan: PlanOf<'cursor' | 'custom'>, page: PageOutcome): PageToken {
  return pageToken(value, linkOf(value, plan, page.url))
}

function linkOf(value: unknown, { token, at }: PlanOf<'cursor' | 'custom'>, from?: string): string | undefined {
  const text = token?.into === 'path' ? pythonText(value) : ''
  return text === '' || isBarePath(text) ? undefined : resolveUrl(text, from, at)
}

type ScopeTools = Pick<NextPageTools, 'config' | 'streamName'> & {
  readonly parameters: Parameters
  readonly pageSize: number | null
}
type SeenPage = Pick<PageOutcome, 'body' | 'headers' | 'receivedCount' | 'received' | 'size'>

/** What the templates of a cursor may use. */
export function cursorScope(page: SeenPage, { config, parameters, streamName, pageSize }: ScopeTools): Scope {
  return {
    config,
    parameters,
    response: responseForTemplates(page.body),
    headers: headersForTemplates(page.headers),
    last_page_size: page.receivedCount,
    page_size: page.size ?? pageSize,
    last_record: lastRecordForTemplates(page.received.at(-1), streamName),
    last_records: page.received,
  }
}

/** Airbyte: `response` is the first thing the decoder gives: of a list its first item, of nothing an empty object. */
function responseForTemplates(body: unknown): unknown {
  if (Array.isArray(body)) return body.length === 0 ? {} : (body[0] as unknown)
  return body ?? {}
}

function lastRecordForTemplates(record: JsonRecord | undefined, streamName: string): unknown {
  if (record === undefined) return null
  return new AttributedDict(record, { data: record, stream_name: streamName, associated_slice: null })
}
