/** test_read: one stream, a few slices, a few pages of each, and everything that happened on the way. */
import type { OpenStream } from '../../engine/pages/stream.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { inferSchema } from '../../engine/records/infer-schema.ts'
import { openNetwork } from '../../engine/response/send.ts'
import { openStreamNamed } from '../../engine/streams-of.ts'
import { statesIn } from '../../protocol/state-input.ts'
import { openRunOf, type ReadOptions } from '../../read.ts'
import { type ObservedAnswer, observe } from '../../engine/response/observe.ts'
import type { ManifestReadRequest, StreamRead, WireLog, WireSlice } from '../wire/manifest-server.ts'
import { collectRead } from './collect.ts'
import { loadGiven } from './load.ts'
import { failureLog, missingLog, noticeLog, problemLog } from './logs.ts'
import { type Asking, impatient } from './operations.ts'
import { readLimited } from './read-limited.ts'
import { showRead } from './show-read.ts'

/** One answer holds the whole read, so there is an end to how much that may be. */
const mostBytes = 64 * 1024 * 1024

/**
 * Reads with the engine as a sync does, but slice after slice, and without asking again after a failure. A read that
 * fails is an answer too: with the page that the API answered instead, and a log that says what to do.
 */
export async function readGiven(asked: ManifestReadRequest, asking: Asking, maxBytes = mostBytes): Promise<StreamRead> {
  const { stream_name: name, config } = asked
  const manifest = loadGiven(asked)
  const states = statesIn(asked.state)
  const logs: WireLog[] = manifest.problems.map(problemLog)
  const collected = collectRead()
  const answers: ObservedAnswer[] = []
  // Asked again and again: a body that is streamed grows while it is read.
  const isFull = () => answers.reduce((sum, { bytes }) => sum + bytes(), 0) > maxBytes
  let latestConfig: Config | null = null

  const network = observe(openNetwork({ limits: { maxBodyBytes: maxBytes }, ...asking }), {
    now: Date.now,
    onExchange: (exchange) => {
      if (exchange.answer !== null) answers.push(exchange.answer)
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
      await readLimited(stream, asked, { ...asking, collected, inferring, isFull })
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
      test_read_limit_reached: isLimited(asked, slices) || isFull(),
      auxiliary_requests,
      inferred_schema: inferring.schema(),
      inferred_datetime_formats: inferring.formats(),
      latest_config_update: latestConfig === null ? null : withoutInternals(latestConfig),
    }
  } finally {
    await network.close()
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
