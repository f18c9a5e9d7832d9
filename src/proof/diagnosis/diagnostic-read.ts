/** A manifest → one read of its stream by the engine, with a summary of each page. */
import type { LoadedManifest } from '../../connector/load-manifest.ts'
import type { Config } from '../../engine/plan/plan.ts'
import type { StreamPlan } from '../../engine/plan/stream.ts'
import type { HttpRequest } from '../../engine/request/http-request.ts'
import type { OpenStream } from '../../engine/pages/stream.ts'
import type { PageToken } from '../../engine/request/page-token.ts'
import type { Notice } from '../../engine/response/notice.ts'
import { observe } from '../../engine/response/observe.ts'
import type { Network } from '../../engine/response/send.ts'
import type { RunOptions } from '../../engine/run/run.ts'
import type { Tokens } from '../../engine/run/tokens.ts'
import type { Redactor } from '../../engine/secrets/redact.ts'
import type { Slice } from '../../engine/slices/slice.ts'
import { openStreamNamed } from '../../engine/streams-of.ts'
import { ConnectorError, hasCode, stageOf } from '../../std/errors.ts'
import { openRunOf, readPagesOf } from '../../read.ts'
import { sleep as sleepFor } from '../../std/sleep.ts'
import { type ClaimRules, claimRulesOf } from '../claims/page-facts.ts'
import type { Receipt, StreamProof } from '../receipts/receipt.ts'
import { summarizePage, type PageSummary } from './page-summary.ts'
import { isList, isObject } from '../../std/values/objects.ts'

export type DiagnosticRead = {
  readonly plan: StreamPlan
  /** Where the manifest says that records and claims are. */
  readonly rules: ClaimRules
  readonly pages: readonly PageSummary[]
  /** One per slice that came to its end. */
  readonly receipts: readonly Receipt[]
  readonly proof: StreamProof | null
  /** Why it ended with an error; null when it did not. */
  readonly error: ConnectorError | null
  /** The request that failed; null where none did. */
  readonly refused: SentRequest | null
  /** Whether the read stopped at the page limit. */
  readonly isCut: boolean
  /** How long the API asked to wait, where that was too long; null otherwise. */
  readonly tooLongMs: number | null
  readonly notices: readonly Notice[]
  /** Every request for a page, retries and redirects too, in order. */
  readonly asked: readonly SentRequest[]
}

export type SentRequest = {
  /** Without secrets. */
  readonly request: HttpRequest
  /** Null when no response came. */
  readonly status: number | null
  /** The number of the page that was requested. */
  readonly page: number
  /** What a refusal contains in addition to its message. */
  readonly refusal?: RefusalBody
}

export type DiagnosticReadOptions = {
  readonly stream: string | undefined
  readonly config: Config
  readonly network: Network
  readonly tokens: Tokens
  readonly onConfig?: RunOptions['onConfig']
  /** Of all slices together. */
  readonly maxPages: number
  /** Longer waits end the read. */
  readonly patienceMs: number
  /** Where to start, and in which slice. */
  readonly from?: PageToken | null
  readonly slice?: Slice
  readonly signal?: AbortSignal | undefined
  readonly now?: (() => number) | undefined
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
  /** Called after every page; true ends the read. */
  readonly onPage?: (pages: readonly PageSummary[]) => boolean | undefined
}

/** Throws what is wrong with the manifest, the config or the options; errors of the read itself are part of the result. */
export async function readForDiagnosis(
  manifest: LoadedManifest,
  settings: DiagnosticReadOptions,
): Promise<DiagnosticRead> {
  const { config, tokens, onConfig, signal, now = Date.now } = settings
  const notices: Notice[] = []
  const pages: PageSummary[] = []
  const sent = observeRequests(settings.network, now, () => pages.length + 1)
  const waits = limitWaits(settings)
  const { run, close } = await openRunOf(manifest, {
    config,
    network: sent.network,
    tokens,
    onConfig,
    concurrency: 1,
    now,
    onNotice: (notice) => notices.push(notice),
    sleep: waits.sleep,
  })
  try {
    const stream = await openStreamNamed(run, settings.stream, { signal })
    const rules = claimRulesOf(stream)
    const read = await readSomePages(stream, rules, settings, pages)
    const asked = sent.shown(stream.redactor)
    const last = asked.at(-1)
    const refused = read.error !== null && last?.page === pages.length + 1 ? last : null
    return { plan: stream.plan, rules, pages, ...read, refused, tooLongMs: waits.tooLongMs(), notices, asked }
  } finally {
    await close()
  }
}

/** @param pages gets the summary of each page as it arrives. */
async function readSomePages(
  stream: OpenStream,
  rules: ClaimRules,
  { maxPages, signal, from, slice, onPage }: DiagnosticReadOptions,
  pages: PageSummary[],
): Promise<Pick<DiagnosticRead, 'receipts' | 'proof' | 'error' | 'isCut'>> {
  const receipts: Receipt[] = []
  let error: ConnectorError | null = null
  let isCut = false
  try {
    const reading = { signal, maxPages, prefetch: 'off', concurrency: 1 } as const
    const start = { ...(from !== undefined && { from }), ...(slice !== undefined && { slice }) }
    for await (const page of readPagesOf(stream, { ...reading, ...start })) {
      const before = page.part > 0 ? (pages.pop() ?? null) : null
      const [number, sliceNumber] = [pages.length + 1, receipts.length + 1]
      pages.push(summarizePage(page, before, { stream, rules, number, sliceNumber }))
      forgetBodies(pages)
      if (page.receipt !== undefined) {
        receipts.push(page.receipt)
        isCut = page.receipt.stop === 'limit'
      }
      const hasMoreParts = page.next === null && page.stop === null
      if (!hasMoreParts && (onPage?.(pages) === true || pages.length >= maxPages)) {
        isCut ||= page.stop === null
        break
      }
    }
  } catch (thrown) {
    if (!isSymptom(thrown)) throw thrown
    error = thrown
  }
  return { receipts, proof: receipts.at(-1)?.stream ?? null, error, isCut }
}

/** Keeps every request for a page. @param pageNumber of the page that is requested now. */
function observeRequests(network: Network, now: () => number, pageNumber: () => number) {
  const sent: (SentRequest & { readonly body?: () => Uint8Array })[] = []
  return {
    network: observe(network, {
      now,
      maxBodyBytes: mostRefusalBytes,
      onExchange({ purpose, request, response }) {
        if (purpose !== undefined) return
        const status = response?.status ?? null
        const isRefusal = response !== null && response.status >= 400
        sent.push({ request, status, page: pageNumber(), ...(isRefusal && { body: response.body }) })
      },
    }),
    shown: (redactor: Redactor): SentRequest[] =>
      sent.map(({ body, ...one }) => ({
        ...one,
        request: redactor.request(one.request),
        ...(body !== undefined && { refusal: readRefusalBody(body()) }),
      })),
  }
}

/** Waits as the API asks, and ends the read where that takes too long. */
function limitWaits({ sleep = sleepFor, patienceMs }: DiagnosticReadOptions) {
  let tooLongMs: number | null = null
  return {
    sleep: async (ms: number, cancelled: AbortSignal) => {
      if (ms > patienceMs) {
        tooLongMs = ms
        throw new ConnectorError('response/gave-up', 'The API asks to wait longer than a diagnosis does.')
      }
      await sleep(ms, cancelled)
    },
    tooLongMs: () => tooLongMs,
  }
}

/** Bodies are kept where they show something: the first two pages, the last, and the first without records. */
function forgetBodies(pages: PageSummary[]): void {
  const index = pages.length - 2
  const page = pages[index]
  if (index < 2 || page === undefined) return
  const isFirstEmpty = pages.findIndex(({ received }) => received === 0) === index
  if (!isFirstEmpty) pages[index] = { ...page, response: null }
}

/** Whether the error comes from the API or the network, so that diagnosis can explain it. */
function isSymptom(error: unknown): error is ConnectorError {
  if (!(error instanceof ConnectorError) || ['manifest', 'plan', 'custom', 'cli'].includes(stageOf(error.code)))
    return false
  return !hasCode(error, 'response/aborted', 'response/address-refused')
}

/** The body of a refusal: whether it is JSON, and its error codes. */
type RefusalBody = {
  /** An HTML page that says `not found` is about the URL. */
  readonly isJson: boolean
  /** `page_out_of_range`, `OFFSET_TOO_LARGE` */
  readonly codes: readonly string[]
}

/** More of a refusal is not kept. */
const mostRefusalBytes = 4_096

function readRefusalBody(body: Uint8Array): RefusalBody {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    return { isJson: isObject(value) || isList(value), codes: codesIn(value, deepest) }
  } catch {
    return { isJson: false, codes: [] }
  }
}

const deepest = 4
const codeName = /^(error|err)?[_-]?(code|type|reason|status|key|id)$/i
/** Several words in one: a number or a lone word says too little. */
const codeWords = /^[A-Za-z]+([_.-][A-Za-z]+|[a-z][A-Z][a-z]+)+$/

function codesIn(value: unknown, depth: number): string[] {
  if (depth === 0) return []
  if (isList(value)) return value.slice(0, 10).flatMap((one) => codesIn(one, depth - 1))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string'
      ? (codeName.test(name) || name === 'error') && member.length <= 60 && codeWords.test(member)
        ? [member]
        : []
      : codesIn(member, depth - 1),
  )
}
