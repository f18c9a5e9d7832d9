/** One stream → its messages: status, records page by page, state slice by slice, notices. */
import type { StopReason } from '../engine/pagination/next-page.ts'
import { isComponent } from '../engine/manifest/components.ts'
import { openStream } from '../engine/opening/open-stream.ts'
import { streamNamed } from '../engine/streams-of.ts'
import { reportingTo, type Run } from '../engine/run/run.ts'
import type { Notice } from '../engine/response/notice.ts'
import { wholeReadState } from '../engine/slices/cursor.ts'
import type { StreamProof } from '../proof/receipts/receipt.ts'
import { noProof, openReceipts, judgeSlices } from '../proof/receipts/open-receipts.ts'
import { claimedEnd } from '../proof/claims/claimed-end.ts'
import { judgedCancelled, judgeFailure } from '../proof/verdict/judge-slice.ts'
import { ConnectorError } from '../std/errors.ts'
import { type Page, readPagesOf, type ReadOptions } from '../read.ts'
import type { ChosenStream } from './choose-streams.ts'
import { failureMessage, isCancelled, redactedError } from './failure.ts'
import {
  logMessage,
  type Message,
  rateLimitedMessage,
  recordMessage,
  stateMessage,
  statusMessage,
  type Emit,
} from './messages.ts'
import { openReceiptMessages, type ReceiptMessages, type StreamOutcome } from './receipt-messages.ts'
import { type Requirement, sayVerdict, suffices } from '../proof/verdict/verdict-name.ts'
import { isWarning, sayNotice } from './say.ts'
import type { Judgement } from '../proof/verdict/verdict.ts'
import type { StreamState } from '../engine/slices/stream-cursor.ts'
import type { LoadedManifest } from '../connector/load-manifest.ts'
import type { Config } from '../engine/plan/plan.ts'
import type { States } from './state-input.ts'

export type ReadRequest = {
  readonly manifest: LoadedManifest
  /** Normalized; also validated where a run is shared. */
  readonly config: Config
  readonly streams: readonly ChosenStream[]
  readonly states: States
  /** How to read each stream: page limit, prefetch, signal, network, clock. */
  readonly options: Omit<ReadOptions, 'stream' | 'config' | 'state' | 'from'>
  /** A stream below this verdict is incomplete; when absent, only an `incomplete` one is. */
  readonly required?: Requirement | undefined
  readonly emit: Emit
  /** For progress displays. */
  readonly onEvent?: (event: ReadEvent) => void
}

/** What a read reports while it runs. A sync reports the same kinds, and more: `SyncEvent`. */
export type ReadEvent =
  | { readonly kind: 'stream-started'; readonly stream: string }
  | { readonly kind: 'page'; readonly page: Page }
  | { readonly kind: 'notice'; readonly stream: string; readonly notice: Notice }
  | { readonly kind: 'stream-ended'; readonly outcome: StreamOutcome }

type Progress = {
  pages: number
  records: number
  slices: number
  stop: StopReason | null
  isCut: boolean
  isShort: boolean
  /** What the pages read so far show. */
  proof: () => StreamProof
  /** The last state, also after a failure, where it makes the next read skip nothing. */
  lastState: () => Message[]
}

/** Errors of the API or the manifest are not thrown: they become an outcome and a message. */
export async function emitStream(request: ReadRequest, run: Run, stream: ChosenStream): Promise<StreamOutcome> {
  const { emit, onEvent, required } = request
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
    onEvent?.({ kind: 'stream-ended', outcome })
    return outcome
  }

  onEvent?.({ kind: 'stream-started', stream: name })
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

/** Waits for a budget are frequent and short: they are logged at the lowest level. */
const levels = {
  retry: 'WARN',
  warning: 'WARN',
  budget: 'DEBUG',
  ignored: 'INFO',
  reset: 'INFO',
  'smaller-page': 'INFO',
  'smaller-window': 'INFO',
  job: 'INFO',
  'foreign-origin': 'INFO',
} as const satisfies Record<Notice['kind'], string>

type StreamRead = {
  request: ReadRequest
  run: Run
  stream: ChosenStream
  progress: Progress
  receipts: ReceiptMessages
  now: () => number
}

/** Emits every page as it arrives, and each state after the records before it. */
async function readToEnd({ request, run, stream, progress, receipts, now }: StreamRead): Promise<void> {
  const { options, emit, onEvent } = request
  const { name } = stream
  const onNotice = (notice: Notice) => {
    options.onNotice?.(notice)
    onEvent?.({ kind: 'notice', stream: name, notice })
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
    claimedEnd,
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
  // Airbyte: a stream without a cursor always ends with a state, since platforms count records by states. Not so for a
  // StateDelegatingStream: the state would select the incremental stream next time.
  const mayEndWithState = open.plan.slicing.cursor === null && !isComponent(component, 'StateDelegatingStream')
  progress.lastState = () => (mayEndWithState && counted === null ? [stateOf(wholeReadState)] : [])

  // Called after the pages before it were emitted.
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
    onEvent?.({ kind: 'page', page })
    await emit(messages)
  }
}

type ReadToEnd = {
  readonly name: string
  readonly proof: StreamProof
  /** A page limit left something unread. */
  readonly isCut: boolean
  /** A slice that no limit cut is `incomplete`. */
  readonly isShort: boolean
}

type EndOfRead = { readonly ending: 'complete' } | { readonly ending: 'incomplete'; readonly error?: ConnectorError }

/**
 * For a stream that was read without an error. A destination may replace its table only after `complete`. A read that
 * only a page limit cut has no error: the user set the limit.
 */
function endOfRead({ name, proof, isCut, isShort }: ReadToEnd, required: Requirement | undefined): EndOfRead {
  const { verdict } = proof
  if (required !== undefined && !suffices(verdict, required)) {
    const message = `Stream "${name}" is ${sayVerdict(proof)}; that is below the threshold set by \`--require ${required}\`.`
    return { ending: 'incomplete', error: new ConnectorError('proof/below-required', message) }
  }
  if (verdict === 'incomplete' && (isShort || !isCut)) {
    const message = `Stream "${name}" is ${sayVerdict(proof)}.`
    return { ending: 'incomplete', error: new ConnectorError('proof/incomplete', message) }
  }
  return { ending: isCut ? 'incomplete' : 'complete' }
}
