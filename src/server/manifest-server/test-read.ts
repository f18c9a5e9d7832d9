/** test_read: one stream, a few slices, a few pages of each, and everything that happened on the way. */
import { advance, readStream } from '../../engine/pages/read-stream.ts'
import type { OpenStream } from '../../engine/pages/stream.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { type Inferring, inferSchema } from '../../engine/records/infer-schema.ts'
import { openNetwork } from '../../engine/response/send.ts'
import type { Slice } from '../../engine/slices/slice.ts'
import { openStreamNamed } from '../../engine/streams-of.ts'
import { statesIn } from '../../protocol/state-input.ts'
import { openRunOf, type ReadOptions } from '../../read.ts'
import { observe } from '../reading/observe.ts'
import type { ManifestReadRequest, StreamRead, WireLog, WireSlice } from '../wire/manifest-server.ts'
import { collectRead } from './collect.ts'
import { loadGiven } from './load.ts'
import { failureLog, log, missingLog, noticeLog } from './logs.ts'
import { type Asking, impatient } from './operations.ts'
import { showRead } from './show-read.ts'

/** One answer holds the whole read, so there is an end to how much that may be. */
const maxBytes = 64 * 1024 * 1024

/**
 * Reads with the engine as a sync does, but slice after slice, and without asking again after a failure. A read that
 * fails is an answer too: with the page that the API answered instead, and a log that says what to do.
 */
export async function readGiven(asked: ManifestReadRequest, asking: Asking): Promise<StreamRead> {
  const { stream_name: name, config } = asked
  const manifest = loadGiven(asked)
  const states = statesIn(asked.state)
  const logs: WireLog[] = manifest.problems.map(({ code, message }) => log('WARN', `${code}: ${message}`))
  const collected = collectRead()
  const received = { bytes: 0 }
  let latestConfig: Config | null = null

  const network = observe(openNetwork({ limits: { maxBodyBytes: maxBytes }, ...asking }), {
    now: Date.now,
    maxBodyBytes: maxBytes,
    onExchange: (exchange) => {
      received.bytes += exchange.answer?.bytes() ?? 0
      collected.exchange(exchange)
    },
  })
  const options: ReadOptions = {
    ...impatient,
    ...asking,
    config,
    network,
    states,
    onNotice: (notice) => logs.push(noticeLog(name, notice)),
    onConfig: (changed) => void (latestConfig = changed),
  }
  try {
    const { run, close } = await openRunOf(manifest, options)
    let inferring = inferSchema()
    try {
      const stream = await openStreamNamed(run, name, { signal: asking.signal, state: states.get(name) })
      inferring = inferSchema({ required: requiredOf(stream) })
      await readLimited(stream, asked, { ...asking, collected, inferring, isFull: () => received.bytes > maxBytes })
    } catch (error) {
      // What fails before anything was asked is wrong with the request.
      if (collected.isUntouched()) throw error
      logs.push(failureLog(error, run.redactor))
    } finally {
      await close()
    }
    logs.push(...inferring.missing().map(missingLog))
    const { slices, auxiliary_requests } = showRead(name, collected.end(), run.redactor)
    return {
      logs,
      slices,
      test_read_limit_reached: isLimited(asked, slices) || received.bytes > maxBytes,
      auxiliary_requests,
      inferred_schema: inferring.schema(),
      inferred_datetime_formats: inferring.formats(),
      latest_config_update: latestConfig === null ? null : withoutInternals(latestConfig),
    }
  } finally {
    await network.close()
  }
}

type Reading = Asking & {
  readonly collected: ReturnType<typeof collectRead>
  readonly inferring: Inferring
  readonly isFull: () => boolean
}

async function readLimited(stream: OpenStream, asked: ManifestReadRequest, reading: Reading): Promise<void> {
  const { cursor } = stream
  const { collected, inferring, signal, isFull } = reading
  let isWhole = true
  const onCut = () => {
    isWhole = false
  }
  const tellState = () => {
    const state = cursor.hasNews() ? cursor.state() : null
    if (state !== null) collected.state(state)
  }
  const slices: OpenStream['slices'] = (how) =>
    firstOf(stream.slices(how), { most: asked.slice_limit, begin: (slice) => collected.begin(slice), onCut })
  const how = { maxPages: asked.page_limit, prefetch: 'off', concurrency: 1, signal, outlivesFailures: true } as const
  try {
    for await (const { slice, page } of readStream({ ...stream, slices }, how)) {
      collected.page(page)
      for (const record of page.records) inferring.add(record)
      advance(cursor, slice, page)
      tellState()
      if (isFull()) return
    }
    cursor.finish(isWhole)
    tellState()
  } catch (error) {
    cursor.finish(false)
    tellState()
    throw error
  }
}

type Taking = { readonly most: number; readonly begin: (slice: Slice) => void; readonly onCut: () => void }

/** Whether there are more is not looked for: parents are asked for no more than these need. */
async function* firstOf(slices: AsyncIterable<Slice>, { most, begin, onCut }: Taking): AsyncGenerator<Slice> {
  let count = 0
  for await (const slice of slices) {
    begin(slice)
    yield slice
    if (++count === most) return onCut()
  }
}

/** Airbyte: reaching a limit counts, whether or not there is more. */
function isLimited(
  { slice_limit, page_limit, record_limit }: ManifestReadRequest,
  slices: readonly WireSlice[],
): boolean {
  const pages = slices.flatMap((slice) => slice.pages)
  const records = pages.reduce((sum, page) => sum + page.records.length, 0)
  const isCut = slices.some((slice) => slice.pages.length >= page_limit)
  return slices.length >= slice_limit || isCut || records >= record_limit
}

function requiredOf({ plan }: OpenStream): readonly (readonly string[])[] {
  const { cursor } = plan.slicing
  return [...plan.primaryKey, ...(cursor === null ? [] : [[cursor.cursorField]])]
}

/** What the platform itself put into the config is not the user's to keep. */
function withoutInternals(config: Config): Config {
  return Object.fromEntries(Object.entries(config).filter(([name]) => !name.startsWith('__')))
}
