/** A manifest as it stands in the builder → the pages of one stream, event by event, by the engine that syncs use. */
import { loadManifest } from '../../connector/load-manifest.ts'
import { advance, readStream } from '../../engine/pages/read-stream.ts'
import type { Egress } from '../../engine/response/egress.ts'
import type { Notice } from '../../engine/response/notice.ts'
import { type Network, openNetwork } from '../../engine/response/send.ts'
import { openStreamNamed } from '../../engine/streams-of.ts'
import { judgeSlices } from '../../proof/verdict/short-slice.ts'
import { isCancelled } from '../../protocol/failure.ts'
import { openRunOf } from '../../read.ts'
import { problemOf } from '../responses.ts'
import { withoutSecretsOf } from '../request-secrets.ts'
import type { TestReadEvent, testReadRequest } from '../wire/test-read.ts'
import type { z } from 'zod'
import { type Besides, openBesides } from './auxiliary-requests.ts'
import type { Captures } from './captures.ts'
import { type EventQueue, openEventQueue } from '../event-queue.ts'
import { observe } from '../../engine/response/observe.ts'
import { openReport, type ReadReport, type Told } from './report.ts'
import { isWarning, sayNotice } from '../../protocol/say.ts'
import type { OpenStream } from '../../engine/pages/stream.ts'
import type { HttpRequest } from '../../engine/request/http-request.ts'
import type { Slice } from '../../engine/slices/slice.ts'

type ReadRequest = z.output<typeof testReadRequest>

type ReadTools = {
  /** Where the connector's own classes are; none are loaded without it. */
  readonly folder: string | null
  readonly egress: Egress
  readonly captures: Captures
  /** Told when the read is over, however it ended. */
  readonly onEnd: () => void
}

/** Nobody waits longer in front of a screen. */
const longestMs = 10 * 60_000

/** Of each answer that no page shows. */
const keptBytes = 256 * 1024

/** Often enough for a proxy to keep the connection, and for people to see that time passes. */
const silenceMs = 2_000

/** Begins to read at once. Whoever leaves the events ends what is under way. */
export function testRead(request: ReadRequest, tools: ReadTools): AsyncIterableIterator<TestReadEvent> {
  const began = Date.now()
  const leaving = new AbortController()
  const line = openEventQueue<TestReadEvent>({
    onLeave: () => leaving.abort(),
    silenceMs,
    whenSilent: () => ({ kind: 'waiting', at: Date.now() - began }),
  })
  const read = tools.captures.begin()
  line.tell({ kind: 'started', id: read.id, stream: request.stream })
  void readToEnd(request, tools, { read, line, began, signal: leaving.signal }).finally(() => {
    line.end()
    tools.onEnd()
  })
  return line.events
}

type Reading = Told & { readonly line: EventQueue<TestReadEvent>; readonly signal: AbortSignal }

/** Whatever happens, the last event says how it ended. */
async function readToEnd(request: ReadRequest, tools: ReadTools, reading: Reading): Promise<void> {
  const { line, began, signal } = reading
  const report = openReport(request, tools.captures, reading)
  const tooLong = AbortSignal.timeout(longestMs)
  try {
    await readPages(request, tools, reading, report, AbortSignal.any([signal, tooLong]))
    line.tell(report.end(report.isLimited() ? 'limit' : 'complete'))
  } catch (error) {
    if (tooLong.aborted) {
      const text = 'The read took ten minutes and was ended.'
      line.tell({ kind: 'notice', at: Date.now() - began, level: 'warning', text })
      line.tell(report.end('limit'))
    } else if (signal.aborted || isCancelled(error)) line.tell(report.end('cancelled'))
    else line.tell(report.end('failed', problemOf(withoutSecretsOf(request, error))))
  }
}

async function readPages(
  request: ReadRequest,
  { folder, egress }: ReadTools,
  { line, began }: Reading,
  report: ReadReport,
  signal: AbortSignal,
): Promise<void> {
  const { text, config, state, maxPages } = request
  const manifest = loadManifest(text, folder === null ? {} : { folder })
  const besides: { current: Besides | null } = { current: null }
  const network = observe(patient(openNetwork({ egress }), line), {
    now: Date.now,
    onAsked: () => besides.current?.tell(),
    onExchange: (exchange) => besides.current?.observe(exchange),
    maxBodyBytes: keptBytes,
  })
  const onNotice = (notice: Notice) => line.tell(showNotice(notice, request.stream, Date.now() - began))
  let close = async () => {}
  try {
    // One request at a time, none ahead of its page: what is shown is the walk as it is.
    const opened = await openRunOf(manifest, { config, network, concurrency: 1, onNotice })
    close = opened.close
    besides.current = openBesides(opened.run.redactor, began, line.tell)
    const ready = await openStreamNamed(opened.run, request.stream, { state, signal, judge: judgeSlices })
    report.open(ready, manifest, besides.current)
    const stream = watchStream(ready, report)
    const pages = readStream(stream, { maxPages, prefetch: 'off', concurrency: 1, outlivesFailures: true, signal })
    for await (const { slice, page } of pages) {
      advance(stream.cursor, slice, page)
      if (!report.page(slice, page)) break
      await line.hasRoom()
    }
    stream.cursor.finish(!report.isLimited())
  } catch (error) {
    besides.current?.giveUp()
    throw error
  } finally {
    await close()
    await network.close()
  }
}

/** No request leaves while whoever listens has not taken what is there. */
function patient(network: Network, line: Pick<EventQueue<TestReadEvent>, 'hasRoom'>): Network {
  return {
    ...network,
    async send(request, signal) {
      await line.hasRoom()
      return network.send(request, signal)
    },
  }
}

function showNotice(notice: Notice, stream: string, at: number): TestReadEvent {
  const lead = `Stream "${stream}": `
  const text = sayNotice(stream, notice)
  // Only one stream is read, and its name is known.
  const own = text.startsWith(lead) ? text.slice(lead.length) : text
  return {
    kind: 'notice',
    at,
    level: isWarning(notice) ? 'warning' : 'info',
    text: own.charAt(0).toUpperCase() + own.slice(1),
    ...('waitMs' in notice && { waitMs: notice.waitMs }),
  }
}

type Watcher = {
  /** Asked with the number of slices before it: whether one more is wanted. */
  readonly wantsSlice: (begun: number) => boolean
  readonly onSlice: (slice: Slice) => void
  /** A request of a page leaves, unsigned. */
  readonly onAsked: (request: HttpRequest) => void
}

/** For reads of one slice at a time. */
function watchStream(stream: OpenStream, { wantsSlice, onSlice, onAsked }: Watcher): OpenStream {
  return {
    ...stream,
    send(request, signal) {
      onAsked(request)
      return stream.send(request, signal)
    },
    async *slices(options) {
      let begun = 0
      for await (const slice of stream.slices(options)) {
        if (!wantsSlice(begun++)) return
        onSlice(slice)
        yield slice
      }
    },
  }
}
