/** test_read: one stream, a few slices, a few pages of each, and everything that happened on the way. */
import type { OpenStream } from '../../engine/pages/stream.ts'
import type { Config } from '../../engine/plan/plan.ts'
import { inferSchema } from '../../engine/records/infer-schema.ts'
import { openNetwork } from '../../engine/response/send.ts'
import { openStreamNamed } from '../../engine/streams-of.ts'
import { statesIn } from '../../protocol/state-input.ts'
import { openRunOf, type ReadOptions } from '../../read.ts'
import { observe, type ObservedResponse } from '../../engine/response/observe.ts'
import type { ManifestReadRequest, StreamRead, WireLog, WireSlice } from '../wire/manifest-server.ts'
import { collectRead, readLimited } from './read-limited.ts'
import { type OperationTools, withoutRetries, loadGiven } from './operations.ts'
import { showRead } from './show-read.ts'
import type { Problem } from '../../std/errors.ts'
import type { Notice } from '../../engine/response/notice.ts'
import type { Redactor } from '../../engine/secrets/redact.ts'
import { failureDetails } from '../../protocol/failure.ts'
import { isWarning, sayNotice } from '../../protocol/say.ts'

/** One response contains the whole read, so its size is limited. */
const mostBytes = 64 * 1024 * 1024

/**
 * Reads with the engine as a sync does, but slice after slice and without retries. A read that fails is a result too,
 * with the page that the API sent instead and a log that explains what to do.
 */
export async function readGiven(
  given: ManifestReadRequest,
  tools: OperationTools,
  maxBytes = mostBytes,
): Promise<StreamRead> {
  const { stream_name: name, config } = given
  const manifest = loadGiven(given)
  const states = statesIn(given.state)
  const logs: WireLog[] = manifest.problems.map(problemLog)
  const collected = collectRead()
  const responses: ObservedResponse[] = []
  // Counted anew each time: a streamed body grows while it is read.
  const isFull = () => responses.reduce((sum, { bytes }) => sum + bytes(), 0) > maxBytes
  let latestConfig: Config | null = null

  const network = observe(openNetwork({ limits: { maxBodyBytes: maxBytes }, ...tools }), {
    now: Date.now,
    onExchange: (exchange) => {
      if (exchange.response !== null) responses.push(exchange.response)
      collected.exchange(exchange)
    },
  })
  const options: ReadOptions = {
    ...withoutRetries,
    ...tools,
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
      const stream = await openStreamNamed(run, name, { signal: tools.signal, state: states.get(name) })
      inferring = inferSchema({ required: requiredOf(stream) })
      await readLimited(stream, given, { ...tools, collected, inferring, isFull })
    } catch (error) {
      // A failure before the first request is an error in the given manifest or config.
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
      test_read_limit_reached: isLimited(given, slices) || isFull(),
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

/** Removes the platform's own members. */
function withoutInternals(config: Config): Config {
  return Object.fromEntries(Object.entries(config).filter(([name]) => !name.startsWith('__')))
}

function log(level: WireLog['level'], message: string): WireLog {
  return { message, level, internal_message: null, stacktrace: null }
}

/** A warning about the manifest. */
function problemLog({ severity, code, message }: Problem): WireLog {
  return log(severity === 'note' ? 'INFO' : 'WARN', `${code}: ${message}`)
}

/** Waits for a budget are frequent and short: they are logged at the lowest level. */
function noticeLog(stream: string, notice: Notice): WireLog {
  const level = isWarning(notice) ? 'WARN' : notice.kind === 'budget' ? 'DEBUG' : 'INFO'
  return log(level, sayNotice(stream, notice))
}

/** The message for people; code, place and hint in `internal_message`. No stack: it would reveal paths of this machine. */
function failureLog(error: unknown, redactor: Redactor): WireLog {
  const { message, internal_message } = failureDetails(error, redactor.text)
  return { ...log('ERROR', message), internal_message }
}

/** A missing key or cursor would fail only when records are written to a table. */
function missingLog(path: readonly string[]): WireLog {
  return log('ERROR', `The records have no \`${path.join('.')}\`, which the stream needs as primary key or cursor.`)
}
