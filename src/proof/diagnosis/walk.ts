/** A manifest → one reading of its stream, by the engine itself, and what is kept of each page. */
import type { LoadedManifest } from '../../connector/load-manifest.ts'
import type { Config } from '../../engine/plan/plan.ts'
import type { StreamPlan } from '../../engine/plan/stream.ts'
import type { HttpRequest } from '../../engine/request/http-request.ts'
import type { PageToken } from '../../engine/request/page-token.ts'
import type { Notice } from '../../engine/response/notice.ts'
import { observe } from '../../engine/response/observe.ts'
import type { Network } from '../../engine/response/send.ts'
import type { RunOptions } from '../../engine/run/run.ts'
import type { Tokens } from '../../engine/run/tokens.ts'
import type { Slice } from '../../engine/slices/slice.ts'
import { openStreamNamed } from '../../engine/streams-of.ts'
import { ConnectorError } from '../../std/errors.ts'
import { openRunOf, readPagesOf } from '../../read.ts'
import { sleep as sleepFor } from '../../std/sleep.ts'
import { type ClaimRules, claimRulesOf } from '../claims/page-facts.ts'
import type { Receipt, StreamProof } from '../receipts/receipt.ts'
import { mostRefusalBytes, type Refusal, refusalIn } from './refusal.ts'
import { notePage, type WalkedPage } from './walked-page.ts'

export type Walk = {
  readonly plan: StreamPlan
  /** Where the manifest says that records and pages are spoken of. */
  readonly rules: ClaimRules
  readonly pages: readonly WalkedPage[]
  /** One per slice that came to its end. */
  readonly receipts: readonly Receipt[]
  readonly proof: StreamProof | null
  /** Why it ended with an error; null when it did not. */
  readonly error: ConnectorError | null
  /** The request that brought the error; null where none did. */
  readonly refused: Asked | null
  /** Whether pages behind the limit were left unread. */
  readonly isCut: boolean
  /** How long the API wanted to be left alone, where that was too long to wait; null otherwise. */
  readonly tooLongMs: number | null
  readonly notices: readonly Notice[]
  /** Every request for a page, retries and redirects too, in order. */
  readonly asked: readonly Asked[]
}

export type Asked = {
  /** Without secrets. */
  readonly request: HttpRequest
  /** Null when no answer came. */
  readonly status: number | null
  /** The page of the walk it brought, or was to bring. */
  readonly page: number
  /** What a refusal says besides its message. */
  readonly refusal?: Refusal
}

export type Walking = {
  readonly stream: string | undefined
  readonly config: Config
  readonly network: Network
  readonly tokens: Tokens
  readonly onConfig?: RunOptions['onConfig']
  /** Of all slices together. */
  readonly maxPages: number
  /** Longer waits end the walk. */
  readonly patienceMs: number
  /** Where to go on from, and in which slice. */
  readonly from?: PageToken | null
  readonly slice?: Slice
  readonly signal?: AbortSignal | undefined
  readonly now?: (() => number) | undefined
  readonly sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined
  /** Told of every page; true ends the walk. */
  readonly onPage?: (pages: readonly WalkedPage[]) => boolean | undefined
}

/** What is wrong with the manifest, the config or the reader's wish is thrown; what goes wrong on the way is noted. */
export async function walkStream(manifest: LoadedManifest, walking: Walking): Promise<Walk> {
  const { maxPages, signal, now = Date.now, sleep = sleepFor, patienceMs } = walking
  const notices: Notice[] = []
  const pages: WalkedPage[] = []
  const receipts: Receipt[] = []
  const asked: (Asked & { readonly body?: () => Uint8Array })[] = []
  let proof: StreamProof | null = null
  let error: ConnectorError | null = null
  let tooLongMs: number | null = null
  let isCut = false

  const network = observe(walking.network, {
    now,
    maxBodyBytes: mostRefusalBytes,
    onExchange({ purpose, request, answer }) {
      if (purpose !== undefined) return
      const status = answer?.status ?? null
      const isRefusal = answer !== null && answer.status >= 400
      asked.push({ request, status, page: pages.length + 1, ...(isRefusal && { body: answer.body }) })
    },
  })
  const { run, close } = await openRunOf(manifest, {
    config: walking.config,
    network,
    tokens: walking.tokens,
    onConfig: walking.onConfig,
    concurrency: 1,
    now,
    onNotice: (notice) => notices.push(notice),
    async sleep(ms, cancelled) {
      if (ms > patienceMs) {
        tooLongMs = ms
        throw new ConnectorError('response/gave-up', 'The API asks to wait longer than a diagnosis does.')
      }
      await sleep(ms, cancelled)
    },
  })
  try {
    const stream = await openStreamNamed(run, walking.stream, { signal })
    const rules = claimRulesOf(stream)
    const { from, slice: wanted } = walking
    let sliceNumber = 1
    try {
      const reading = { signal, maxPages, prefetch: 'off', concurrency: 1 } as const
      const start = { ...(from !== undefined && { from }), ...(wanted !== undefined && { slice: wanted }) }
      for await (const page of readPagesOf(stream, { ...reading, ...start })) {
        const before = page.part > 0 ? (pages.pop() ?? null) : null
        pages.push(notePage(page, before, { stream, rules, number: pages.length + 1, sliceNumber }))
        forgetBodies(pages)
        if (page.receipt !== undefined) {
          receipts.push(page.receipt)
          proof = page.receipt.stream
          isCut = page.receipt.stop === 'limit'
          sliceNumber++
        }
        if (page.next === null && page.stop === null) continue
        if (walking.onPage?.(pages) === true || pages.length >= maxPages) {
          isCut ||= page.stop === null
          break
        }
      }
    } catch (thrown) {
      if (!isSymptom(thrown)) throw thrown
      error = thrown
    }
    const shown = asked.map(
      ({ body, ...one }): Asked => ({
        ...one,
        request: stream.redactor.request(one.request),
        ...(body !== undefined && { refusal: refusalIn(body()) }),
      }),
    )
    const last = shown.at(-1)
    const refused = error !== null && last !== undefined && last.page === pages.length + 1 ? last : null
    const { plan } = stream
    return { plan, rules, pages, receipts, proof, error, refused, isCut, tooLongMs, notices, asked: shown }
  } finally {
    await close()
  }
}

/** Bodies of the first two pages tell how pages follow each other, that of the last how they end, a page without records what became of them. */
function forgetBodies(pages: WalkedPage[]): void {
  const index = pages.length - 2
  const page = pages[index]
  if (index < 2 || page === undefined) return
  const isFirstEmpty = pages.findIndex(({ received }) => received === 0) === index
  if (!isFirstEmpty) pages[index] = { ...page, answer: null }
}

/** What an API answers, and what becomes of it on the way, is what a diagnosis is about. */
function isSymptom(error: unknown): error is ConnectorError {
  if (!(error instanceof ConnectorError)) return false
  return !/^(manifest|plan|custom|cli)\/|^response\/(aborted|address-refused)$/.test(error.code)
}
