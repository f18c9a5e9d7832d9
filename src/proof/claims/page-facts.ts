/** A page and its stream → the facts that claims are read from, and the rules for reading them. */
import { type Page, unshownResponse } from '../../engine/pages/page.ts'
import type { PaginationPlan } from '../../engine/plan/pagination.ts'
import { mayStartAgain } from '../../engine/pages/read-halves.ts'
import { requestedSize } from '../../engine/pagination/next-page.ts'
import type { OpenStream } from '../../engine/pages/stream.ts'
import { isHollow, isPlainError, isReported } from '../../engine/response/error-body.ts'
import type { ListState } from '../../std/values/find-list.ts'
import { isCountedToken } from './is-counted-token.ts'
import { wholeNumber } from './response-place.ts'
import type { DeclaredPlace } from './declared/conditions.ts'
import { cursorFieldOf, isConditional, otherLinkOf, declaredPlacesOf } from './declared/declared-places.ts'
import type { KeyPaths } from '../../engine/pagination/record-key.ts'
import { idNames } from '../../engine/pagination/assumed-key.ts'

type Template = Extract<PaginationPlan, { kind: 'cursor' }>['value']

export type PageFacts = {
  /** As it was decoded. Only numbers and flags are taken from it, so nothing secret is. */
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly receivedCount: number
  /** Position within the page, from 0. */
  readonly part: number
  readonly isLast: boolean
  /** The response is an error that a rule of the manifest takes for the end. */
  readonly isError: boolean
  /** Whether the list that the record path names is there; `found` when absent. */
  readonly list?: ListState
  /** Whether the response reports an error, or that it is partial, next to its records. */
  readonly isReported?: boolean
  /** What is in the list is an error, or has no values. */
  readonly hasNoRecords?: boolean
  /** Where properties were requested in several groups and some group does not have every record: how many records, and the groups. */
  readonly lacking?: { readonly records: number; readonly groups: readonly GroupFacts[] }
  /** How many lists inside its records lack items, as the API says. */
  readonly truncated?: number
  /** The last two records received: they show whether records share a cursor value. */
  readonly lastTwo?: readonly unknown[]
  /** On the first page: what the read continues with. */
  readonly next?: Page['next']
  /** On the first page: whether the API names its next page by a count. */
  readonly isNextCounted?: boolean
}

/** The response to one group of properties. */
export type GroupFacts = Pick<PageFacts, 'body' | 'headers' | 'receivedCount'>

/** What the manifest says about where claims are, computed once per stream. */
export type ClaimRules = {
  /** The path of the records; null where a custom class finds them. */
  readonly recordPath: readonly string[] | null
  /** Whether what is received is what an API would count, record by record. */
  readonly countsRecords: boolean
  /** Whether the cursor is read from the response: then its absence is a claim of the API. */
  readonly isCursorOfApi: boolean
  /** Whether a slice may be one of several: a total then may count the others too. */
  readonly isSliced: boolean
  /**
   * The total of the last read, where this one began at its state and ends now: every record that came since is wanted,
   * so less than the growth of the total is too little, whatever the total counts.
   */
  readonly earlierTotal?: number
  /** Whether the stop condition depends on record data, such as a date, and may end the read early on purpose. */
  readonly mayStopEarly: boolean
  /** Whether the cursor's template may end the read although the API names a next page. */
  readonly isCursorConditional: boolean
  /** Whether the manifest may start the pages of a slice again, which brings records twice on purpose. */
  readonly mayStartAgain: boolean
  /** Whether a slice consists of several downloads: what the last one claims does not cover the others. */
  readonly isOfDownloads: boolean
  /** How many records each request asks for; null when it does not say. */
  readonly askedSize: number | null
  /** Places where the manifest reads the next page and the end. */
  readonly declared: readonly DeclaredPlace[]
  /** The field of the last record that the cursor is; null where it is made of anything else. */
  readonly cursorField: readonly string[] | null
  /** Whether several records may have the same cursor. */
  readonly mayShareCursor: boolean
  /** Whether the cursor is a link to another page than the next one. */
  readonly leadsElsewhere: boolean
  /** Whether the read counts records or pages by itself. */
  readonly isCounting: boolean
  /** Whether pages are numbered from 1 or more, so that a page before the first one may exist. */
  readonly mayStartLate: boolean
  /** The name that the token of the next page is sent with, and those of the members that it is read from. */
  readonly tokenNames: readonly string[]
}

/** What totals counted in earlier reads of a stream that is one slice. */
export type EarlierTotals = {
  readonly last: number
  /** A read from a state met a total that was smaller than the one before: totals count what the filter leaves. */
  readonly countsNew?: true
}

/** @param tokenNames as in `ClaimRules` */
export function factsOf(page: Page, tokenNames: readonly string[] = []): PageFacts {
  const { body, headers, received } = unshownResponse(page.response)
  const { receivedCount, part, stop, index, next } = page
  const isFirst = index === 0
  return {
    body,
    headers,
    receivedCount,
    part,
    isLast: stop !== null,
    isError: page.list === 'ignored',
    list: page.list === 'ignored' ? 'null' : page.list,
    isNextCounted: isFirst && isCountedToken(next, tokenNames),
    ...(page.list !== 'ignored' && isReported(body) && { isReported: true }),
    ...(page.list !== 'ignored' && areNoRecords(received) && { hasNoRecords: true }),
    ...(page.lacking !== undefined && { lacking: { records: page.lacking, groups: groupsOf(page) } }),
    ...(page.truncated !== undefined && { truncated: page.truncated }),
    ...(received.length > 1 && next !== null && { lastTwo: received.slice(-2) }),
    ...(isFirst && { next }),
  }
}

function groupsOf({ response, further = [] }: Page): GroupFacts[] {
  return [response, ...further.map((other) => other.response)].map((one) => {
    const { body, headers, received } = unshownResponse(one)
    return { body, headers, receivedCount: received.length }
  })
}

/** An error as the only member of the list, or members without a value. */
function areNoRecords(received: readonly unknown[]): boolean {
  const [first] = received
  return (received.length === 1 && isPlainError(first)) || isHollow(first)
}

export function claimRulesOf(
  { plan, config, isFirstRead = false }: Pick<OpenStream, 'plan' | 'config'> & Partial<Pick<OpenStream, 'isFirstRead'>>,
  earlier?: EarlierTotals,
): ClaimRules {
  const { selector, pagination, slicing, retriever, job } = plan
  const { extractor } = selector
  const isCursorOfApi =
    pagination.kind === 'cursor' &&
    names(pagination.value, ['response', 'headers']) &&
    otherLinkOf(pagination) === null &&
    !isOfRecords(pagination) &&
    !names(pagination.value, ['last_page_size'])
  const hasWindows = slicing.cursor?.kind === 'time' && slicing.cursor.step !== null
  // Of a stream that was read before, a total may count its old records, too.
  const isResumed = slicing.cursor !== null && !isFirstRead
  const isSliced = slicing.routers.length > 0 || hasWindows || (isResumed && earlier?.countsNew !== true)
  const endsNow = slicing.cursor?.kind === 'count' || (slicing.cursor?.end === null && slicing.cursor.clamping === null)
  const rules = {
    isCursorOfApi,
    isSliced,
    ...(earlier !== undefined && isResumed && endsNow && { earlierTotal: earlier.last }),
    mayStopEarly: mayStopEarly(pagination),
    isCursorConditional: isConditional(pagination),
    mayStartAgain: mayStartAgain(plan),
    isOfDownloads: job !== null,
    askedSize: askedSize(pagination),
    cursorField: cursorFieldOf(pagination),
    mayShareCursor: mayShareCursor(pagination, plan.primaryKey),
    leadsElsewhere: otherLinkOf(pagination) !== null,
    isCounting: pagination.kind === 'offset' || pagination.kind === 'page',
    mayStartLate: pagination.kind === 'page' && pagination.firstPage > 0,
  }
  // Where a custom class finds the records, the path is unknown; where several paths lead to them, there is not one.
  const recordPath =
    extractor.kind !== 'path' || retriever !== null
      ? null
      : extractor.path.map((name) => name.render({ config, parameters: extractor.parameters }))
  const declared = declaredPlacesOf(pagination, recordPath)
  return {
    ...rules,
    recordPath,
    // Totals of a job's downloads count each download alone.
    countsRecords: recordPath !== null && job === null,
    declared,
    tokenNames: tokenNamesOf(pagination, declared),
  }
}

function tokenNamesOf(pagination: PaginationPlan, declared: readonly DeclaredPlace[]): readonly string[] {
  if (pagination.kind !== 'cursor') return []
  const { token } = pagination
  const sent = token === null || token.into === 'path' ? [] : [token.into === 'json' ? token.path.at(-1) : token.name]
  const read = declared.filter(({ means }) => means === 'next').map(({ place }) => place.at(-1))
  return [...sent, ...read].filter((name) => name !== undefined)
}

/** Unknown for a custom class. */
function askedSize(pagination: PaginationPlan): number | null {
  if (pagination.kind === 'none' || pagination.kind === 'custom') return null
  const sent = wholeNumber(requestedSize(pagination, null))
  if (sent !== null || pagination.kind === 'cursor') return sent
  return typeof pagination.pageSize === 'number' ? pagination.pageSize : null
}

function mayStopEarly(pagination: PaginationPlan): boolean {
  if (pagination.kind === 'custom') return true
  if (pagination.kind !== 'cursor' || pagination.stopWhen === null) return false
  const { stopWhen } = pagination
  // A page size from the config is compared with the last page; a date from the config with the last record.
  return (
    names(stopWhen, ['last_record', 'last_records']) ||
    (names(stopWhen, ['config']) && !names(stopWhen, ['last_page_size']))
  )
}

function names(template: Template, some: readonly string[]): boolean {
  return some.some((name) => template.names.has(name))
}

/** Made of records, by `last_record` or as the last member of a list in the response. */
function isOfRecords(pagination: PaginationPlan): boolean {
  if (pagination.kind !== 'cursor') return false
  const { names: read, source } = pagination.value
  return read.has('last_record') || read.has('last_records') || /\[\s*-\s*1\s*\]|\|\s*last\b/.test(source)
}

/**
 * A key has one record, and a cursor or token that each record carries is the API's own. A date, a name or a state may be that of many: where
 * a page ends within them, nothing on any page shows the rest.
 */
function mayShareCursor(pagination: PaginationPlan, primaryKey: KeyPaths): boolean {
  if (pagination.kind !== 'cursor' || !isOfRecords(pagination)) return false
  const field = cursorFieldOf(pagination)
  const keys = primaryKey.length === 1 ? [primaryKey[0]?.join('.') ?? ''] : []
  if (field !== null) return !keys.includes(field.join('.')) && !isKeyName(field.at(-1) ?? '')
  const words = pagination.value.source.match(/[A-Za-z_]\w*/g) ?? []
  return !words.some((word) => keys.includes(word) || isKeyName(word))
}

function isKeyName(name: string): boolean {
  return idNames.includes(name) || /cursor|token|^next/i.test(name)
}
