/** A page → what diagnosis keeps of it: a few names and numbers, no secrets. */
import { type Page, unshownResponse } from '../../engine/pages/page.ts'
import type { OpenStream } from '../../engine/pages/stream.ts'
import type { StopReason } from '../../engine/pagination/next-page.ts'
import type { JsonRecord } from '../../engine/plan/plan.ts'
import type { StreamPlan } from '../../engine/plan/stream.ts'
import type { HttpRequest } from '../../engine/request/http-request.ts'
import type { PageToken } from '../../engine/request/page-token.ts'
import type { Slice } from '../../engine/slices/slice.ts'
import { followPath } from '../../std/values/get-at.ts'
import { stringifyJson } from '../../std/json.ts'
import { hashText } from '../../std/hashing/hash.ts'
import { idNames } from '../../engine/pagination/assumed-key.ts'
import type { Found } from '../claims/envelope-claims.ts'
import { pageClaims } from '../claims/page-claims.ts'
import { type ClaimRules, factsOf } from '../claims/page-facts.ts'

export type PageSummary = {
  /** Position in the read, from 1. */
  readonly number: number
  /** Which slice of the read, from 1. */
  readonly sliceNumber: number
  readonly slice: Slice
  /** Position in its slice, from 0. */
  readonly index: number
  readonly request: HttpRequest
  readonly status: number
  readonly received: number
  /** One per record: equal ones are the same record, whatever else changed in it. */
  readonly prints: readonly string[]
  /** One per record: equal ones are the same in every field. */
  readonly contents: readonly string[]
  /** The sets of names that its records have, each once; a page of many kinds of record is cut at a few. */
  readonly shapes: readonly (readonly string[])[]
  /** What the first and the last record are called; null where they have no name. */
  readonly first: RecordName | null
  readonly last: RecordName | null
  readonly token: PageToken | null
  readonly next: PageToken | null
  readonly stop: StopReason | null
  readonly tookMs: number
  /** What the API says on this page about others. */
  readonly found: Found
  /** Body and headers, kept for a few pages only; secrets are hidden. */
  readonly response: { readonly body: unknown; readonly headers: Readonly<Record<string, string>> } | null
}

type RecordName = {
  readonly field: string
  readonly value: string | number | bigint
  /** As people read it: `id 101`. Without secrets, and short. */
  readonly text: string
}

/** The most records of one page that are compared: enough to recognise it. */
const mostPrints = 5_000

type SummaryInput = {
  readonly stream: OpenStream
  readonly rules: ClaimRules
  readonly number: number
  readonly sliceNumber: number
}

/** `before` is the same page so far, where it comes in parts. */
export function summarizePage(page: Page, before: PageSummary | null, noting: SummaryInput): PageSummary {
  const { stream, rules, number, sliceNumber } = noting
  const { received } = unshownResponse(page.response)
  const { primaryKey } = stream.plan
  const compared = received.slice(0, mostPrints - (before?.prints.length ?? 0))
  const contents = compared.map((record) => hashText(record))
  const prints = keysOf(compared, primaryKey)?.map((key) => hashText(key)) ?? contents
  const named = (record: JsonRecord | undefined) => nameOf(record, primaryKey, stream)
  return {
    number,
    sliceNumber,
    slice: page.slice,
    index: page.index,
    request: page.request,
    status: page.response.status,
    received: (before?.received ?? 0) + page.receivedCount,
    prints: [...(before?.prints ?? []), ...prints],
    contents: [...(before?.contents ?? []), ...contents],
    shapes: before?.shapes ?? shapesOf(compared),
    first: before?.first ?? named(received[0]),
    last: named(received.at(-1)) ?? before?.last ?? null,
    token: page.token,
    next: page.next,
    stop: page.stop,
    tookMs: page.timing.tookMs,
    found: before?.found ?? pageClaims(factsOf(page), rules),
    response: before?.response ?? { body: page.response.body, headers: page.response.headers },
  }
}

const mostShapes = 20
const mostNames = 200

function shapesOf(records: readonly JsonRecord[]): string[][] {
  const found = new Map<string, string[]>()
  for (const record of records) {
    const names = Object.keys(record).slice(0, mostNames)
    const key = names.toSorted().join('\n')
    if (!found.has(key)) found.set(key, names)
    if (found.size >= mostShapes) break
  }
  return [...found.values()]
}

/** Null where the records have no key, or one that is not unique. */
function keysOf(records: readonly JsonRecord[], primaryKey: readonly (readonly string[])[]): string[] | null {
  if (primaryKey.length === 0) return null
  const keys = records.map((record) => keyOf(record, primaryKey)).filter((key) => key !== null)
  return keys.length === records.length && new Set(keys).size === keys.length ? keys : null
}

function keyOf(record: JsonRecord, primaryKey: readonly (readonly string[])[]): string | null {
  const values = primaryKey.map((path) => followPath(record, path))
  return values.some((value) => value === undefined || value === null) ? null : stringifyJson(values)
}

/** Names shown to people; they need not be unique. */
const usualNames = [...idNames, 'code', 'number']
const longestName = 40

/** The one field that names records; null where there is none. */
export function keyName({ primaryKey }: Pick<StreamPlan, 'primaryKey'>, page: PageSummary | undefined): string | null {
  const [key] = primaryKey
  if (primaryKey.length === 1 && key?.length === 1) return key[0] ?? null
  return primaryKey.length === 0 ? (page?.first?.field ?? null) : null
}

function nameOf(
  record: JsonRecord | undefined,
  primaryKey: readonly (readonly string[])[],
  { redactor }: Pick<OpenStream, 'redactor'>,
): RecordName | null {
  if (record === undefined) return null
  const paths = [...primaryKey, ...usualNames.map((name) => [name])]
  for (const path of paths) {
    const value = followPath(record, path)
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') continue
    const field = path.join('.')
    const text = redactor.text(String(value))
    return { field, value, text: `${field} ${text.length > longestName ? `${text.slice(0, longestName)}…` : text}` }
  }
  return null
}
