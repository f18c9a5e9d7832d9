/** One stream → its messages: status, records page by page, state slice by slice, and what happened on the way. */
import type { StopReason } from '../engine/pagination/next-page.ts'
import { openStreamNamed } from '../engine/streams-of.ts'
import { reportingTo, type Run } from '../engine/run/run.ts'
import type { Notice } from '../engine/response/notice.ts'
import type { StreamState } from '../engine/slices/state.ts'
import type { StreamProof } from '../insight/receipt.ts'
import { noProof } from '../insight/receipts.ts'
import { type Requirement, suffices } from '../insight/requirement.ts'
import { judgedCancelled, judgeFailure } from '../insight/verdict.ts'
import { ConnectorError } from '../errors.ts'
import { type Page, readPagesOf } from '../read.ts'
import type { ChosenStream } from './choose-streams.ts'
import { failureMessage, isCancelled, redactedError } from './failure.ts'
import { logMessage, type Message, rateLimitedMessage, recordMessage, stateMessage, statusMessage } from './messages.ts'
import type { ReadRequest } from './read.ts'
import { openReceiptMessages, type ReceiptMessages } from './receipts.ts'
import { isWarning, sayNotice, type StreamTotals } from './say.ts'

export type StreamOutcome = StreamTotals & {
  readonly name: string
  readonly ending: 'complete' | 'failed' | 'cancelled'
  /** Fit to be shown: without secrets. */
  readonly error?: Error
  /** What the read proves about its own completeness. */
  readonly proof: StreamProof
  /** A limit of pages left something unread. */
  readonly isCut: boolean
}

/** Who looks on while streams are read. */
export type Watch = {
  started?(stream: string): void
  page?(page: Page): void
  notice?(stream: string, notice: Notice): void
  ended?(outcome: StreamOutcome): void
}

type Progress = {
  pages: number
  records: number
  slices: number
  stop: StopReason | null
  proof: StreamProof
  isCut: boolean
}

/** Never throws for what the API or the author did: that is an outcome, and a message. */
export async function readStream(request: ReadRequest, run: Run, stream: ChosenStream): Promise<StreamOutcome> {
  const { emit, watch } = request
  const now = request.options.now ?? Date.now
  const totals: Progress = { pages: 0, records: 0, slices: 0, stop: null, proof: noProof, isCut: false }
  const receipts = openReceiptMessages({ stream: stream.name, now })
  const redact = run.redactor.text
  const finish = async (outcome: StreamOutcome, messages: readonly Message[]) => {
    const status = isWhole(outcome, request.required) ? 'COMPLETE' : 'INCOMPLETE'
    await emit([...messages, ...receipts.stream(outcome), statusMessage(stream.name, status, now())])
    watch?.ended?.(outcome)
    return outcome
  }

  watch?.started?.(stream.name)
  await emit([statusMessage(stream.name, 'STARTED', now())])
  try {
    await readToEnd({ request, run, stream, totals, receipts, now })
    return await finish({ name: stream.name, ...totals, ending: 'complete' }, [])
  } catch (failure) {
    const { name } = stream
    const error = redactedError(failure, redact)
    const failed = { name, ...totals, error }
    if (isCancelled(failure) || request.options.signal?.aborted) {
      const log = logMessage('WARN', `Stream "${name}" was cancelled.`)
      const proof = { ...totals.proof, ...judgedCancelled }
      return finish({ ...failed, proof, ending: 'cancelled' }, [log])
    }
    const proof = { ...totals.proof, ...judgeFailure(error instanceof ConnectorError ? error.code : undefined) }
    return finish({ ...failed, proof, ending: 'failed' }, [failureMessage(failure, now(), redact, name)])
  }
}

/** A budget makes nearly every request wait a little: that is no news. */
const levels = {
  retry: 'WARN',
  warning: 'WARN',
  budget: 'DEBUG',
  ignored: 'INFO',
  reset: 'INFO',
  job: 'INFO',
  'foreign-origin': 'INFO',
} as const satisfies Record<Notice['kind'], string>

type Reading = {
  request: ReadRequest
  run: Run
  stream: ChosenStream
  totals: Progress
  receipts: ReceiptMessages
  now: () => number
}

/** Emits every page as it comes, and each state once the records before it are out. */
async function readToEnd({ request, run, stream, totals, receipts, now }: Reading): Promise<void> {
  const { options, emit, watch } = request
  const { name } = stream
  const onNotice = (notice: Notice) => {
    options.onNotice?.(notice)
    watch?.notice?.(name, notice)
    const log = logMessage(isWarning(notice) ? 'WARN' : levels[notice.kind], run.redactor.text(sayNotice(name, notice)))
    const isLimited = notice.kind === 'retry' && notice.isRateLimited === true
    void emit(isLimited ? [log, rateLimitedMessage(name, notice.quotaResetsAt, now())] : [log])
  }
  const state = stream.isIncremental ? request.states.get(name) : undefined
  const open = await openStreamNamed(reportingTo(run, onNotice), name, {
    signal: options.signal,
    state,
    isShared: request.streams.length > 1,
    cursorField: stream.cursorField,
    chosenSchema: stream.schema,
    wantsFiles: stream.wantsFiles,
  })

  let counted = 0
  // Told when the pages before it were emitted.
  const onState = (reached: StreamState) => {
    void emit([stateMessage(name, reached, totals.records - counted)])
    counted = totals.records
  }
  for await (const page of readPagesOf(open, { ...options, onState })) {
    const { records, part, receipt } = page
    const messages: Message[] = []
    if (totals.records === 0 && records.length > 0) messages.push(statusMessage(name, 'RUNNING', now()))
    const emittedAt = now()
    for (const record of records) messages.push(recordMessage(name, record, emittedAt))
    if (part === 0) totals.pages++
    totals.records += records.length
    if (receipt !== undefined) {
      totals.slices++
      totals.stop = receipt.stop
      totals.proof = receipt.stream
      totals.isCut ||= receipt.stop === 'limit'
      messages.push(...receipts.slice(page.slice, receipt))
    }
    watch?.page?.(page)
    await emit(messages)
  }
}

/**
 * COMPLETE lets a destination replace what it has: a read that was cut at a limit must not, nor one that proves less than
 * was asked for.
 */
export function isWhole({ ending, isCut, proof }: StreamOutcome, required: Requirement | undefined): boolean {
  return ending === 'complete' && !isCut && (required === undefined || suffices(proof.verdict, required))
}
