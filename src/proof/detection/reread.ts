/** A manifest → its first pages, read by the engine, and whether they are what the probes showed. */
import { loadManifest } from '../../connector/load-manifest.ts'
import type { Config } from '../../engine/plan/plan.ts'
import type { Network } from '../../engine/response/send.ts'
import { ConnectorError } from '../../std/errors.ts'
import { isObject } from '../../std/values/objects.ts'
import { readPages } from '../../read-manifest.ts'
import type { Receipt } from '../receipts/receipt.ts'
import { count } from '../../std/text/format-count.ts'
import type { ProbeResponse, ProbeSender } from './probe-sender.ts'
import { areEqual, keysOf, pageIn } from './probed-pages.ts'
import { pointersIn } from './pointers.ts'
import { sayResponse, type DetectionSession } from './detection-session.ts'
import { namedTotals } from './first-page-claims.ts'

/** What the probes showed: a read with the manifest must show the same. */
export type Expected = Pick<DetectionSession, 'first' | 'layout' | 'seen' | 'needed'>

export type Reread =
  /** `isOpen`: only the last page shows that there is one, and it was not read. */
  | { readonly kind: 'fits'; readonly says: string; readonly isOpen: boolean }
  /** `page`: the number of the first page that is not as expected, from 1. */
  | { readonly kind: 'differs'; readonly page: number; readonly says: string }
  /** It ended, and the API says that there is more. */
  | { readonly kind: 'early'; readonly says: string }
  /** Pages without records follow each other, and each names another one. */
  | { readonly kind: 'endless'; readonly says: string }
  /** A page came again. `last`: how many records the page before it has, which is the last one; `full`: the largest one. */
  | { readonly kind: 'loops'; readonly last: number; readonly full: number; readonly says: string }
  /** No request was left to find out. */
  | { readonly kind: 'unfinished' }

export type RereadTools = {
  readonly sender: ProbeSender
  /** Values of the inputs of the manifest. */
  readonly config: Config
  readonly maxBodyBytes: number
  readonly signal: AbortSignal
  readonly now: () => number
}

/** Two pages show that one follows the other. A third is read only where it is the last, or where only the last one shows that it ends. */
const enoughPages = 2
const mostPages = 3

/** The read as far as it came. */
type ReadBack = {
  /** The keys of the records of each page. */
  readonly pages: string[][]
  ended: boolean
  receipt: Receipt | undefined
  /** The response that came last; null where no request was left for one. */
  response: ProbeResponse | null | undefined
}

/** `toEnd`: nothing but the last page shows that there is one, so it is read while requests are left. */
export async function reread(text: string, expected: Expected, tools: RereadTools, toEnd = false): Promise<Reread> {
  const { sender, config, signal, now } = tools
  const read: ReadBack = { pages: [], ended: false, receipt: undefined, response: undefined }
  const { pages } = read
  try {
    const manifest = loadManifest(text)
    const network = networkFor(expected, tools, read)
    const options = { config, network, signal, now, sleep: noWait, prefetch: 'off', concurrency: 1 } as const
    for await (const page of readPages(manifest, options)) {
      pages.push(keysOf(page.records, expected.layout))
      read.ended = page.stop !== null
      read.receipt = page.receipt
      const problem = loopIn(pages) ?? problemIn(pages, expected)
      if (problem !== null) return problem
      if (!read.ended && isEnough(pages, expected, sender, toEnd)) break
    }
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.code === 'response/aborted' || signal.aborted) throw error
    return failed(error, read)
  }
  if (read.ended) return ended(read, expected, toEnd)
  return isSpent(pages) ? endless(pages) : fits(pages, toEnd ? notChecked : '', toEnd)
}

function failed(error: ConnectorError, { pages, response }: ReadBack): Reread {
  if (response === null) return { kind: 'unfinished' }
  if (pages.at(-1)?.length === 0 && error.code === 'pagination/loop') return endless(pages)
  const which = pages.length === 0 ? 'its first request' : `the request for page ${pages.length + 1}`
  return { kind: 'differs', page: pages.length + 1, says: `${which} fails: ${reasonOf(error, response)}` }
}

function ended({ pages, receipt, response }: ReadBack, expected: Expected, toEnd: boolean): Reread {
  const read = pages.flat()
  const missing = missingIn(read, expected)
  if (missing !== null) return { kind: 'differs', page: pages.length, says: missing }
  if (toEnd && leavesListOut(response, expected)) return fits(pages, withoutList, true)
  if (receipt?.verdict !== 'incomplete') return fits(pages, ', to the end', false)
  return { kind: 'early', says: `it ends after ${count(read.length, 'record')}, and not at the end: ${receipt.reason}` }
}

function fits(pages: readonly string[][], ending: string, isOpen: boolean): Reread {
  const records = count(pages.flat().length, 'record')
  return {
    kind: 'fits',
    says: `read back with this manifest: ${records} in ${count(pages.length, 'page')}${ending}`,
    isOpen,
  }
}

const notChecked = '; not checked: whether the last page names no next page, as no request was left to read it'

const withoutList =
  ', to one that leaves its list out and names no next page: most likely the end, though nothing says so'

/** Some leave an empty list out. What else is there must be of the same envelope: anything new may be an error. */
function leavesListOut(response: ReadBack['response'], { first, layout }: Expected): boolean {
  if (!response || !isObject(response.body) || !isObject(first.response.body) || pageIn(response, layout) !== null)
    return false
  const names = Object.keys(first.response.body)
  if (!Object.keys(response.body).every((name) => names.includes(name))) return false
  return pointersIn(response.body, response.headers, layout.path, response.url).every(({ value }) => value === null)
}

/** Two pages without records are the end of an API that always names another one. */
function isSpent(pages: readonly string[][]): boolean {
  return pages.length > 1 && pages.slice(-2).every((page) => page.length === 0)
}

/** The same page once more, after one that followed from another: what names the next page leads back at the end. */
function loopIn(pages: readonly string[][]): Reread | null {
  const [page, before] = [pages.at(-1) ?? [], pages.at(-2) ?? []]
  const at = pages.slice(0, -1).findIndex((one) => one.length > 0 && areEqual(one, page))
  if (at < 0 || pages.length < 3) return null
  const full = Math.max(...pages.map(({ length }) => length))
  return {
    kind: 'loops',
    last: before.length,
    full,
    says: `page ${pages.length} is page ${at + 1} again, and there is no end`,
  }
}

function endless(pages: readonly string[][]): Reread {
  return { kind: 'endless', says: `after ${count(pages.flat().length, 'record')} come pages without any, and no end` }
}

function isEnough(
  pages: readonly string[][],
  { first, layout }: Expected,
  sender: ProbeSender,
  toEnd: boolean,
): boolean {
  if (pages.length < enoughPages) return false
  if (sender.left() === 0) return true
  if (toEnd) return isSpent(pages)
  if (pages.length >= mostPages) return true
  const [total] = namedTotals(first, layout)
  const last = pages.at(-1)?.length ?? 0
  // One page without records may be a gap.
  if (last === 0) return false
  return total === undefined || total - pages.flat().length > last
}

/** Null where the page that was just read follows from those before it, and from what the probes showed. */
function problemIn(pages: readonly string[][], { first, seen }: Expected): Reread | null {
  const differs = (says: string): Reread => ({ kind: 'differs', page: pages.length, says })
  const page = pages.at(-1) ?? []
  const all = pages.flat()
  if (pages.length === 1 && page.length === 0) return differs('its first page has no records')
  if (pages.length === 1 && !isStartOf(first.keys, page))
    return differs('its first page has other records than the first response')
  if (new Set(all).size < all.length) return differs(`page ${pages.length} has records that came before`)
  const isTorn = seen.some(({ keys }) => isStartOf(first.keys, keys) && !isStartOf(keys, all))
  return isTorn ? differs(`page ${pages.length} leaves records out`) : null
}

/** Whether one of the two lists begins as the other one does. */
function isStartOf(one: readonly string[], other: readonly string[]): boolean {
  const length = Math.min(one.length, other.length)
  return one.slice(0, length).every((key, index) => key === other[index])
}

/** A read that ended must have brought whatever was seen before, and as many records as the API claims. */
function missingIn(read: readonly string[], { first, seen, layout }: Expected): string | null {
  const [total] = namedTotals(first, layout)
  if (total !== undefined && total > read.length) return `it ends after ${read.length} of ${total} records`
  const all = new Set(read)
  const isLost = [first, ...seen].some(({ keys }) => keys.some((key) => !all.has(key)))
  return isLost ? `it ends after ${count(read.length, 'record')}, and others were seen` : null
}

/** Every request of the engine is a probe: counted and listed, or answered by one that was sent before. */
function networkFor({ layout, first }: Expected, { sender, maxBodyBytes }: RereadTools, read: ReadBack): Network {
  return {
    maxBodyBytes,
    async close() {},
    async send({ method, url, headers, body }) {
      const says = (response: ProbeResponse) => sayResponse(response, layout, first)
      const given = await sender.ask('Does the manifest read it?', { method, url, headers, body }, says)
      read.response = given
      if (given === null || given.response === null)
        throw new ConnectorError('response/gave-up', given?.message ?? 'No request is left.')
      return given.response
    },
  }
}

function reasonOf(error: ConnectorError, response: ReadBack['response']): string {
  const status = response?.status ?? null
  if (!response || status === null || status < 400) return error.message
  return `${status}${response.message === null ? '' : `, ${response.message}`}`
}

/** The same request would get the same answer: nothing is waited for. */
async function noWait(): Promise<void> {
  throw new ConnectorError('response/gave-up', 'It is refused.')
}
