/** One stream, read by the real engine over a given network and clock → everything that a recording expects of the read. */
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { schemaOf } from '../engine/opening/open-stream.ts'
import type { OpenStream } from '../engine/pages/stream.ts'
import type { Config, JsonRecord } from '../engine/plan/plan.ts'
import { inferSchema } from '../engine/records/infer-schema.ts'
import { recordPathOf } from '../engine/records/extract.ts'
import type { Network } from '../engine/response/send.ts'
import { openTokens } from '../engine/run/tokens.ts'
import type { Run } from '../engine/run/run.ts'
import type { StreamState } from '../engine/slices/stream-cursor.ts'
import { openStreamNamed } from '../engine/streams-of.ts'
import { claimedEnd } from '../proof/claims/claimed-end.ts'
import { judgeSlices, openReceipts } from '../proof/receipts/open-receipts.ts'
import type { SliceReceipt, StreamProof } from '../proof/receipts/receipt.ts'
import { openRunOf, readPagesOf } from '../read.ts'
import { ConnectorError, stageOf } from '../std/errors.ts'
import { parseJson, stringifyJson } from '../std/json.ts'
import type { ReadClock } from './clock.ts'
import type { ExpectedReceipt, ExpectedSchema, ExpectedSlice, RecordingLimits } from './recording.ts'

export type StreamReading = {
  readonly stream: string
  readonly config: Config
  readonly state: StreamState | null
  readonly limits: RecordingLimits
  readonly network: Network
  readonly clock: Pick<ReadClock, 'now' | 'sleep'>
  readonly signal: AbortSignal
  /** Receives each secret that the engine learns on the way. */
  readonly onSecret?: (secret: string) => void
  readonly onConfig?: ((config: Config) => void | Promise<void>) | undefined
}

export type StreamReadOnce = {
  readonly records: readonly JsonRecord[]
  readonly slices: readonly ExpectedSlice[]
  readonly receipt: ExpectedReceipt | null
  readonly schema: ExpectedSchema
  readonly primaryKey: readonly (readonly string[])[]
  readonly state: StreamState | null
  /** Where records are in a page; null where only a class knows. */
  readonly recordPath: readonly string[] | null
  /** Equal for streams that request their pages in the same way. */
  readonly paginationKey: string
  readonly error: ConnectorError | null
}

/** The same in every read, so that waits are. */
const evenOdds = () => 0.5

/** One slice, one page, one request at a time: the order of requests is then that of the manifest. */
export async function readStreamOnce(manifest: LoadedManifest, reading: StreamReading): Promise<StreamReadOnce> {
  const { stream, config, state, limits, network, clock, signal, onSecret, onConfig } = reading
  const tokens = openTokens()
  const states = new Map(state === null ? [] : [[stream, state]])
  const found = {
    records: [] as JsonRecord[],
    slices: [] as ExpectedSlice[],
    receipt: null as ExpectedReceipt | null,
    schema: { from: 'records', schema: null } as ExpectedSchema,
    primaryKey: [] as readonly (readonly string[])[],
    state: null as StreamState | null,
    recordPath: null as readonly string[] | null,
    paginationKey: '',
  }
  const opened = await openRunOf(manifest, {
    config,
    network,
    tokens,
    concurrency: 1,
    ...clock,
    random: evenOdds,
    states,
    onConfig,
  })
  const run = listening(opened.run, onSecret)
  try {
    const open = await openStreamNamed(run, stream, {
      ...(state !== null && { state }),
      judge: judgeSlices,
      claimedEnd,
      signal,
    })
    found.recordPath = recordPathOf(open.plan.selector.extractor, open.config)
    found.primaryKey = open.plan.primaryKey
    found.paginationKey = stringifyJson(open.plan.pagination)
    const reads = {
      prefetch: 'off' as const,
      concurrency: 1,
      maxPages: limits.maxPages,
      signal,
      onState: (now: StreamState) => (found.state = copied(now)),
    }
    const receipts = openReceipts(open)
    for await (const page of readPagesOf(open, reads, receipts)) {
      found.records.push(...page.records)
      if (page.receipt === undefined) continue
      const { receipt, slice } = page
      const parts = { ...slice.partition, ...slice.window }
      found.slices.push(copied({ slice: parts, stop: receipt.stop, ...shownReceipt(receipt) }))
      if (found.slices.length >= limits.maxSlices) break
    }
    if (found.slices.length > 0) found.receipt = copied(shownReceipt(receipts.stream()))
    found.schema = await schemaFor(run, open, found.records, signal)
    return { ...found, records: copied(found.records), error: null }
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.code === 'response/aborted') throw error
    return { ...found, records: copied(found.records), error }
  } finally {
    await opened.close()
    await tokens.close()
  }
}

function shownReceipt({
  pages,
  received,
  emitted,
  verdict,
  keys,
  claimed,
}: SliceReceipt | StreamProof): ExpectedReceipt {
  const counts = keys === null ? null : { unique: keys.unique, repeated: keys.repeated }
  return { pages, received, emitted, verdict, keys: counts, claimed }
}

/** As a file has it: `undefined` members are not there, and no value is shared with the engine. */
function copied<T>(value: T): T {
  return parseJson(stringifyJson(value)).value as T
}

function listening(run: Run, onSecret: StreamReading['onSecret']): Run {
  if (onSecret === undefined) return run
  const { redactor } = run
  const add = (secret: string) => {
    onSecret(secret)
    redactor.add(secret)
  }
  const listener = { ...redactor, add, forget: () => {} }
  run.tokens.attach(listener)
  return { ...run, redactor: { ...redactor, add } }
}

async function schemaFor(
  run: Run,
  { plan }: OpenStream,
  records: readonly JsonRecord[],
  signal: AbortSignal,
): Promise<ExpectedSchema> {
  const declared = await schemaOf(run, plan, signal).catch((error: unknown) => {
    // A class or a file that is not there: `validate` reports it, and the records are read all the same.
    if (!(error instanceof ConnectorError)) throw error
    if (['plan', 'manifest'].includes(stageOf(error.code)) || error.code === 'records/schema-file') return null
    throw error
  })
  if (declared !== null) return { from: 'manifest', schema: copied(declared) }
  const inferring = inferSchema()
  for (const record of records) inferring.add(record)
  return { from: 'records', schema: inferring.schema() }
}
