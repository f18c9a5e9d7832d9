/** One slice of any stream → its pages: requested directly, or downloaded after a job has prepared them. */
import { ConnectorError, hasCode } from '../../std/errors.ts'
import { deleteJob } from '../jobs/clean-up.ts'
import { type JobExchange, type JobInput, targetsIn } from '../jobs/job.ts'
import { type JobTools, runJob } from '../jobs/run-job.ts'
import { selectNothing } from '../records/select.ts'
import type { Slice } from '../slices/slice.ts'
import { openSignal } from './open-signal.ts'
import { type Page, renumberPage, showPage, stopBetween } from './page.ts'
import { readCustomPages } from './read-custom.ts'
import { type ReadOptions, readPages } from './read-pages.ts'
import { mayStartAgain, readInHalves } from './read-halves.ts'
import type { OpenStream } from './stream.ts'
import type { PageToken } from '../request/page-token.ts'

/** A page and its slice, not redacted: states and children are made from it. */
export type SlicePage = {
  readonly slice: Slice
  readonly page: Page
  /** The API did not know the token to resume the slice from: this is its first page again. */
  readonly startsOver?: true
}

/**
 * Every page of one slice, in order; the last one carries the receipt. Stopping the loop over it cancels what is under
 * way, a job on the server included.
 *
 * @example for await (const page of readSlicePages(stream, slice, { maxPages: 5 })) console.log(page.records.length)
 */
export function readSlicePages(stream: OpenStream, slice: Slice, options: ReadOptions = {}): AsyncGenerator<Page> {
  const { job, retriever } = stream
  if (options.from && (job !== null || retriever !== null)) throw cannotResume(stream)
  if (retriever !== null) return readCustomPages(stream, retriever, slice, options)
  if (job !== null) return readJobPages(stream, job, slice, options)
  return readInHalves(stream, slice, options)
}

async function* readJobPages(
  stream: OpenStream,
  tools: JobTools,
  slice: Slice,
  options: ReadOptions,
): AsyncGenerator<Page> {
  const { signal, release } = openSignal(options.signal)
  const end = tools.jobs.begin()
  try {
    const ending = await runJob(tools, slice, signal)
    if (ending.kind === 'skipped') return
    try {
      yield* downloadPages(stream, tools, ending, options, signal)
    } finally {
      await deleteJob(tools, ending.job)
    }
  } catch (error) {
    throw stream.redactor.error(error)
  } finally {
    end()
    release()
  }
}

async function* downloadPages(
  stream: OpenStream,
  tools: JobTools,
  { job, exchange }: { job: JobInput; exchange: JobExchange },
  options: ReadOptions,
  signal: AbortSignal,
): AsyncGenerator<Page> {
  const named = tools.plan.list === null ? exchange : await tools.send('list', job, signal)
  const targets = targetsIn(tools.plan, named, { ...tools, slice: job.slice })
  if (targets.length === 0) yield pageWithoutTargets(stream, job.slice, named)

  const { maxPages = Number.POSITIVE_INFINITY } = options
  const totals = { pages: 0, received: 0, emitted: 0 }
  for (const [index, target] of targets.entries()) {
    const isLast = index === targets.length - 1
    const before = totals.pages
    for await (const page of readPages(downloading(stream, job, target), job.slice, {
      ...options,
      // Downloads are files: few have pages, and none has many.
      prefetch: options.prefetch === 'off' ? 'off' : 1,
      maxPages: maxPages - before,
    })) {
      totals.pages = before + page.index + 1
      totals.received += page.receivedCount
      totals.emitted += page.records.length
      const stop = isLast ? page.stop : stopBetween(page.stop, totals.pages >= maxPages)
      yield { ...renumberPage(page, totals, stop), target: shownTarget(stream, target) }
      if (stop === 'limit') return
    }
  }
}

/** The stream, with requests for one download. */
function downloading(stream: OpenStream, { names, home }: JobInput, target: unknown): OpenStream {
  return {
    ...stream,
    requestInput: (...page) => ({
      ...stream.requestInput(...page),
      names: { ...names, download_target: target },
      ...(home !== undefined && { home }),
    }),
  }
}

/** Most targets are addresses, and most of these are signed. */
function shownTarget({ redactor }: OpenStream, target: unknown): unknown {
  return typeof target === 'string' ? redactor.url(target) : redactor.value(target)
}

/** A completed job without a download: its last response is the page that says so. */
function pageWithoutTargets(stream: OpenStream, slice: Slice, exchange: JobExchange): Page {
  const selection = selectNothing('null')
  return showPage(stream, {
    slice,
    part: 0,
    responses: [
      {
        exchange: { ...exchange, token: null },
        decoded: { ...exchange.decoded, bytes: exchange.response.body.length, isLast: true },
        selection,
      },
    ],
    selection,
    next: { token: null, stop: 'nothing-to-download' },
    totals: { pages: 1, received: 0, emitted: 0 },
    isLimited: false,
  })
}

/** What a job prepared for an earlier read is gone, and what a custom class remembers is unknown. */
function cannotResume({ plan }: OpenStream): ConnectorError {
  const message = `Stream "${plan.name}" cannot resume from one of its pages: it is read slice by slice.`
  const hint = 'Resume from the slice instead: leave `from` out.'
  return new ConnectorError('slices/invalid-state', message, { at: plan.at, hint })
}

/** Where a slice resumes. */
export type ResumeFrom = {
  readonly from: PageToken
  /** The reader can delete what it has of the slice. */
  readonly mayStartOver?: boolean
  /** The page before: requested again, so that the reader can compare it. It is not one of the pages. */
  readonly before?: { readonly token: PageToken | null; readonly compare: (page: Page) => void }
}

type ResumeOptions = Omit<ReadOptions, 'from'> & ResumeFrom

/** Whether a slice can resume from one of its pages: with jobs, custom retrievers and resets it cannot. */
export function mayResume({ plan, job, retriever }: OpenStream): boolean {
  return job === null && retriever === null && !mayStartAgain(plan)
}

/** A page number or an offset is never forgotten. What a custom class makes may be a cursor. */
function isCursor({ plan: { pagination } }: OpenStream): boolean {
  return pagination.kind === 'cursor' || pagination.kind === 'custom'
}

/** Credentials that are not accepted, a quota that is used up and a body that cannot be read say nothing about the cursor. */
const statusesOfExpired = [400, 404, 409, 410, 412, 416, 422]

/** Some answer 200 with an error, which the manifest takes for a failure. */
function mayMeanExpired(error: unknown): boolean {
  if (!(error instanceof ConnectorError) || error.code !== 'response/rejected') return false
  const { status } = error
  return status !== undefined && (status < 400 || statusesOfExpired.includes(status))
}

/**
 * APIs answer an expired cursor with an error, which the manifest may ignore. Whether the token is the reason
 * shows when the first page is requested: if that fails too, the token was not, and the first failure is the one to report.
 */
export async function* resumeSlice(
  stream: OpenStream,
  slice: Slice,
  { mayStartOver = false, before, ...options }: ResumeOptions,
): AsyncGenerator<SlicePage> {
  if (before !== undefined) await readAgain(stream, slice, before, options)
  let isFirst = true
  let failure: unknown = null
  const mayExpire = mayStartOver && isCursor(stream)
  try {
    for await (const page of readSlicePages(stream, slice, options)) {
      if (isFirst && mayExpire && page.stop === 'ignored') break
      isFirst = false
      yield { slice, page }
    }
    if (!isFirst) return
  } catch (error) {
    if (!isFirst || !mayExpire || !mayMeanExpired(error)) throw error
    failure = error
  }
  stream.warn('The API no longer knows the page to resume from: the slice starts over.')
  const fromStart = { ...options, from: null }
  try {
    for await (const page of readSlicePages(stream, slice, fromStart)) {
      yield isFirst ? { slice, page, startsOver: true } : { slice, page }
      isFirst = false
    }
  } catch (error) {
    throw isFirst && failure !== null ? failure : error
  }
}

/** A page that is refused shows nothing about the place to resume from; anything else that fails would fail there, too. */
async function readAgain(
  stream: OpenStream,
  slice: Slice,
  { token, compare }: NonNullable<ResumeFrom['before']>,
  options: ReadOptions,
): Promise<void> {
  try {
    const pages = readSlicePages(stream, slice, { ...options, from: token, maxPages: 1, prefetch: 'off' })
    for await (const page of pages) compare(page)
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
}

/** A response that refuses the request. Timeouts and server errors say nothing about the token. */
function isRefusal(error: unknown): boolean {
  return hasCode(error, 'response/rejected', 'response/not-decodable')
}
