/** One stream → its messages: status, records page by page, state slice by slice, and what happened on the way. */
import type { StopReason } from '../engine/pagination/next-page.ts'
import { isComponent } from '../engine/manifest/components.ts'
import { openStream } from '../engine/opening/open-stream.ts'
import { streamNamed } from '../engine/streams-of.ts'
import { reportingTo, type Run } from '../engine/run/run.ts'
import type { Notice } from '../engine/response/notice.ts'
import { type StreamState, wholeReadState } from '../engine/slices/state.ts'
import type { Judgement } from '../proof/verdict/verdict.ts'
import type { StreamProof } from '../proof/receipts/receipt.ts'
import { noProof, openReceipts } from '../proof/receipts/open-receipts.ts'
import { judgeSlices } from '../proof/verdict/short-slice.ts'
import { judgedCancelled, judgeFailure } from '../proof/verdict/judge-slice.ts'
import { ConnectorError } from '../std/errors.ts'
import { type Page, readPagesOf } from '../read.ts'
import type { ChosenStream } from './choose-streams.ts'
import { type Ending, endOfRead } from './ending.ts'
import { failureMessage, isCancelled, redactedError } from './failure.ts'
import { logMessage, type Message, rateLimitedMessage, recordMessage, stateMessage, statusMessage } from './messages.ts'
import type { ReadRequest } from './read.ts'
import { openReceiptMessages, type ReceiptMessages } from './receipt-messages.ts'
import { isWarning, sayNotice, type StreamTotals } from './say.ts'

export type StreamOutcome = StreamTotals & {
  readonly name: string
  readonly ending: Ending
  /** Fit to be shown: without secrets. Of an incomplete read, why it is; absent where its own limit of pages cut it. */
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
  isCut: boolean
  isShort: boolean
  /** What the pages read so far prove. */
  proof: () => StreamProof
  /** The state that even a read that failed leaves, where it hides nothing from the next one. */
  lastState: () => Message[]
}

/** Never throws for what the API or the author did: that is an outcome, and a message. */
export async function readStream(request: ReadRequest, run: Run, stream: ChosenStream): Promise<StreamOutcome> {
  const { emit, watch, required } = request
  const { name } = stream
  const now = request.options.now ?? Date.now
  const progress: Progress = {
    pages: 0,
    records: 0,
    slices: 0,
    stop: null,
    isCut: false,
    isShort: false,
    proof: () => noProof,
    lastState: () => [],
  }
  const receipts = openReceiptMessages({ stream: name, now })
  const redact = run.redactor.text
  const outcomeOf = (ended: Pick<StreamOutcome, 'ending' | 'error'>, judged?: Judgement): StreamOutcome => {
    const { pages, records, slices, stop, isCut, proof } = progress
    return { name, pages, records, slices, stop, isCut, proof: { ...proof(), ...judged }, ...ended }
  }
  const finish = async (outcome: StreamOutcome, messages: readonly Message[]) => {
    const status = outcome.ending === 'complete' ? 'COMPLETE' : 'INCOMPLETE'
    await emit([...messages, ...receipts.stream(outcome), statusMessage(name, status, now())])
    watch?.ended?.(outcome)
    return outcome
  }

  watch?.started?.(name)
  await emit([statusMessage(name, 'STARTED', now())])
  try {
    await readToEnd({ request, run, stream, progress, receipts, now })
  } catch (failure) {
    const error = redactedError(failure, redact)
    if (isCancelled(failure) || request.options.signal?.aborted) {
      const log = logMessage('WARN', `Stream "${name}" was cancelled.`)
      return finish(outcomeOf({ ending: 'cancelled', error }, judgedCancelled), [log])
    }
    const judged = judgeFailure(error instanceof ConnectorError ? error.code : undefined)
    const messages = [failureMessage(failure, now(), redact, name), ...progress.lastState()]
    return finish(outcomeOf({ ending: 'failed', error }, judged), messages)
  }
  const ended = endOfRead({ ...progress, name, proof: progress.proof() }, required)
  if (ended.ending === 'complete' || ended.error === undefined) {
    return finish(outcomeOf({ ending: ended.ending }), [])
  }
  const error = redactedError(ended.error, redact)
  const messages = [...progress.lastState(), failureMessage(error, now(), redact, name)]
  return finish(outcomeOf({ ending: 'incomplete', error }), messages)
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
  progress: Progress
  receipts: ReceiptMessages
  now: () => number
}

/** Emits every page as it comes, and each state once the records before it are out. */
async function readToEnd({ request, run, stream, progress, receipts, now }: Reading): Promise<void> {
  const { options, emit, watch } = request
  const { name } = stream
  const onNotice = (notice: Notice) => {
    options.onNotice?.(notice)
    watch?.notice?.(name, notice)
    const log = logMessage(isWarning(notice) ? 'WARN' : levels[notice.kind], run.redactor.text(sayNotice(name, notice)))
    const isLimited = notice.kind === 'retry' && notice.isRateLimited === true
    void emit(isLimited ? [log, rateLimitedMessage(name, notice.quotaResetsAt, now())] : [log])
  }
  const reporting = reportingTo(run, onNotice)
  const component = await streamNamed(reporting, name, options)
  const open = await openStream(reporting, component, {
    signal: options.signal,
    state: stream.isIncremental ? request.states.get(name) : undefined,
    judge: judgeSlices,
    isShared: request.streams.length > 1,
    cursorField: stream.cursorField,
    chosenSchema: stream.schema,
    wantsFiles: stream.wantsFiles,
  })
  const proving = openReceipts(open)
  progress.proof = proving.stream

  let counted: number | null = null
  const stateOf = (reached: StreamState) => {
    const message = stateMessage(name, reached, progress.records - (counted ?? 0))
    counted = progress.records
    return message
  }
  // Airbyte: a stream without a cursor ends with a state however it ends, since platforms count records by states. Of a
  // StateDelegatingStream it would choose the incremental stream next time.
  const mayEndWithState = open.plan.slicing.cursor === null && !isComponent(component, 'StateDelegatingStream')
  progress.lastState = () => (mayEndWithState && counted === null ? [stateOf(wholeReadState)] : [])

  // Told when the pages before it were emitted.
  const onState = (reached: StreamState) => void emit([stateOf(reached)])
  for await (const page of readPagesOf(open, { ...options, onState }, proving)) {
    const { records, part, receipt } = page
    const messages: Message[] = []
    if (progress.records === 0 && records.length > 0) messages.push(statusMessage(name, 'RUNNING', now()))
    const emittedAt = now()
    for (const record of records) messages.push(recordMessage(name, record, emittedAt))
    if (part === 0) progress.pages++
    progress.records += records.length
    if (receipt !== undefined) {
      progress.slices++
      progress.stop = receipt.stop
      progress.isCut ||= receipt.stop === 'limit'
      progress.isShort ||= receipt.verdict === 'incomplete' && receipt.stop !== 'limit'
      messages.push(...receipts.slice(page.slice, receipt))
    }
    watch?.page?.(page)
    await emit(messages)
  }
}
