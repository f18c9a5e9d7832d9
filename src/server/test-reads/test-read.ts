/** A manifest in the builder → the pages of one stream as events, read by the engine that syncs use. */
import { loadInSteps } from '../../connector/load-manifest.ts'
import { readStream } from '../../engine/pages/read-stream.ts'
import { advance } from '../../engine/pages/advance-cursor.ts'
import type { Egress } from '../../engine/response/egress.ts'
import type { Notice } from '../../engine/response/notice.ts'
import { type Network, openNetwork } from '../../engine/response/send.ts'
import { asItIs, type WrapNetwork } from '../wrap-network.ts'
import { openStreamNamed } from '../../engine/streams-of.ts'
import { judgeSlices } from '../../proof/receipts/open-receipts.ts'
import { isCancelled } from '../../protocol/failure.ts'
import { openRunOf } from '../../read.ts'
import { problemOf } from '../responses.ts'
import { withoutSecretsOf } from '../request-secrets.ts'
import type { moreOfTestRead, TestReadEvent, testReadRequest } from '../wire/test-read.ts'
import type { z } from 'zod'
import { type AuxiliaryRequests, openAuxiliaryRequests } from './auxiliary-requests.ts'
import type { Captures } from './captures.ts'
import { type EventQueue, openEventQueue } from '../event-queue.ts'
import { observe } from '../../engine/response/observe.ts'
import { openReport, type ReadReport, type ReportTools } from './read-report.ts'
import { isWarning, sayNotice } from '../../protocol/say.ts'
import type { OpenStream } from '../../engine/pages/stream.ts'
import type { HttpRequest } from '../../engine/request/http-request.ts'
import type { Slice } from '../../engine/slices/slice.ts'
import { ConnectorError } from '../../std/errors.ts'
import { earlierSlices } from './earlier-pages.ts'

type ReadRequest = z.output<typeof testReadRequest>

type ReadTools = {
  /** The folder of custom classes; without it none are loaded. */
  readonly folder: string | null
  readonly egress: Egress
  readonly wrapNetwork?: WrapNetwork | undefined
  readonly captures: Captures
  /** Called at the end, however it ended. */
  readonly onEnd: () => void
}

/** Longer than anyone waits at a screen. */
const longestMs = 10 * 60_000

/** The limit of each response that no page shows. */
const keptBytes = 256 * 1024

/** Often enough that a proxy keeps the connection, and people see that it is running. */
const silenceMs = 2_000

/** Starts to read at once. A client that stops reading events ends it. */
export function testRead(request: ReadRequest, tools: ReadTools): AsyncIterableIterator<TestReadEvent> {
  return follow(request, tools, { read: tools.captures.begin(), began: Date.now(), earlier: new Map() })
}

type MoreTools = Omit<ReadTools, 'folder' | 'wrapNetwork'>
type MoreLimits = z.output<typeof moreOfTestRead>

/**
 * Continues a read that a limit ended, with the same manifest and config: no page is requested again. Parents of its
 * slices are. Throws `server/gone` where it cannot.
 */
export function readMore(id: string, limits: MoreLimits, tools: MoreTools): AsyncIterableIterator<TestReadEvent> {
  const { read } = tools.captures.pages(id)
  if (read.rest === null) throw new ConnectorError('server/gone', `Read ${id} cannot be continued.`)
  const { request, folder, wrapNetwork, tookMs } = read.rest
  const earlier = earlierSlices(tools.captures, id)
  // Only one read continues it.
  read.rest = null
  return follow(
    { ...request, ...limits },
    { ...tools, folder, wrapNetwork },
    { read, began: Date.now() - tookMs, earlier },
  )
}

type Beginning = Pick<ReportTools, 'read' | 'began' | 'earlier'>

function follow(request: ReadRequest, tools: ReadTools, beginning: Beginning): AsyncIterableIterator<TestReadEvent> {
  const { read, began } = beginning
  const leaving = new AbortController()
  const queue = openEventQueue<TestReadEvent>({
    onLeave: () => leaving.abort(),
    silenceMs,
    whenSilent: () => ({ kind: 'waiting', at: Date.now() - began }),
  })
  queue.send({ kind: 'started', id: read.id, stream: request.stream })
  void readToEnd(request, tools, { ...beginning, queue, signal: leaving.signal }).finally(() => {
    queue.end()
    tools.onEnd()
  })
  return queue.events
}

type OpenTestRead = ReportTools & { readonly queue: EventQueue<TestReadEvent>; readonly signal: AbortSignal }

/** The last event always shows how it ended. */
async function readToEnd(request: ReadRequest, tools: ReadTools, reading: OpenTestRead): Promise<void> {
  const { queue, began, signal, read } = reading
  const report = openReport(request, tools.captures, reading)
  const tooLong = AbortSignal.timeout(longestMs)
  const endAtLimit = () => {
    const end = report.end('limit')
    if (end.canContinue) {
      const { folder, wrapNetwork } = tools
      read.rest = { request, folder, wrapNetwork, tookMs: end.at }
    }
    queue.send(end)
  }
  try {
    await readPages(request, tools, reading, report, AbortSignal.any([signal, tooLong]))
    if (report.isLimited()) endAtLimit()
    else queue.send(report.end('complete'))
  } catch (error) {
    if (tooLong.aborted) {
      const text = 'The read was stopped after ten minutes.'
      queue.send({ kind: 'notice', at: Date.now() - began, level: 'warning', text })
      endAtLimit()
    } else if (signal.aborted || isCancelled(error)) queue.send(report.end('cancelled'))
    else queue.send(report.end('failed', problemOf(withoutSecretsOf(request, error))))
  }
}

async function readPages(
  request: ReadRequest,
  { folder, egress, wrapNetwork = asItIs }: ReadTools,
  { queue, began }: OpenTestRead,
  report: ReadReport,
  signal: AbortSignal,
): Promise<void> {
  const { text, config, state, maxPages } = request
  const manifest = await loadInSteps(text, folder === null ? {} : { folder })
  const auxiliary: { current: AuxiliaryRequests | null } = { current: null }
  const network = observe(patient(wrapNetwork(openNetwork({ egress })), queue), {
    now: Date.now,
    onAsked: () => auxiliary.current?.send(),
    onExchange: (exchange) => auxiliary.current?.observe(exchange),
    maxBodyBytes: keptBytes,
  })
  const onNotice = (notice: Notice) => {
    if (notice.kind === 'retry') auxiliary.current?.noteRetry()
    queue.send(showNotice(notice, request.stream, Date.now() - began))
  }
  let close = async () => {}
  try {
    // One request at a time and no prefetch, so that events are in the order of pages.
    const opened = await openRunOf(manifest, { config, network, concurrency: 1, onNotice })
    close = opened.close
    auxiliary.current = openAuxiliaryRequests(opened.run.redactor, began, queue.send)
    const ready = await openStreamNamed(opened.run, request.stream, { state, signal, judge: judgeSlices })
    report.open(ready, manifest, auxiliary.current)
    const stream = watchStream(ready, report)
    const choose = (slice: Slice) => report.choose(slice, (part) => advance(stream.cursor, slice, part))
    const options = { maxPages, choose, prefetch: 'off', concurrency: 1, outlivesFailures: true, signal } as const
    for await (const { slice, page: yielded } of readStream(stream, options)) {
      const page = report.numbered(yielded)
      advance(stream.cursor, slice, page)
      if (!report.page(slice, page)) break
      await queue.hasRoom()
    }
    stream.cursor.finish(!report.isLimited())
  } catch (error) {
    auxiliary.current?.sendAll()
    throw error
  } finally {
    await close()
    await network.close()
  }
}

/** Requests wait until the reader has taken the earlier events. */
function patient(network: Network, queue: Pick<EventQueue<TestReadEvent>, 'hasRoom'>): Network {
  return {
    ...network,
    async send(request, signal) {
      await queue.hasRoom()
      return network.send(request, signal)
    },
  }
}

function showNotice(notice: Notice, stream: string, at: number): TestReadEvent {
  const lead = `Stream "${stream}": `
  const text = sayNotice(stream, notice)
  // Only one stream is read: its name is omitted.
  const sentence = text.startsWith(lead) ? text.slice(lead.length) : text
  return {
    kind: 'notice',
    at,
    level: isWarning(notice) ? 'warning' : 'info',
    text: sentence.charAt(0).toUpperCase() + sentence.slice(1),
    ...('waitMs' in notice && { waitMs: notice.waitMs }),
  }
}

type SliceWatch = {
  /** Whether to read one more slice, after this many. */
  readonly wantsSlice: (begun: number) => boolean
  /** Returns the slice to read. */
  readonly onSlice: (slice: Slice) => Slice
  /** A request of a page is sent; unsigned. */
  readonly onAsked: (request: HttpRequest) => void
}

/** The stream, limited to the wanted slices, with callbacks for slices and requests. For reads of one slice at a time. */
function watchStream(stream: OpenStream, { wantsSlice, onSlice, onAsked }: SliceWatch): OpenStream {
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
        yield onSlice(slice)
      }
    },
  }
}
