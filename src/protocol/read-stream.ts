/** One stream → its messages: status, records page by page, state slice by slice, and what happened on the way. */
import type { Page } from '../engine/page.ts'
import type { StopReason } from '../engine/pagination/next-page.ts'
import type { StreamPlan } from '../engine/plan/plan.ts'
import { planStream } from '../engine/plan/stream.ts'
import type { Notice } from '../engine/response/notice.ts'
import { cursorIn, trackState, wholeReadState } from '../engine/slices/state.ts'
import { readPages } from '../read.ts'
import type { ChosenStream } from './choose-streams.ts'
import { failureMessage, isCancelled, redactedError } from './failure.ts'
import { logMessage, type Message, recordMessage, stateMessage, statusMessage } from './messages.ts'
import type { ReadRequest } from './read.ts'
import { isWarning, sayNotice, sayReceipt, type StreamTotals } from './say.ts'
import { type Redact, redactorFor } from './secrets.ts'

export type StreamOutcome = StreamTotals & {
  readonly name: string
  readonly ending: 'complete' | 'failed' | 'cancelled'
  /** Fit to be shown: without secrets. */
  readonly error?: Error
}

/** Who looks on while streams are read. */
export type Watch = {
  started?(stream: string): void
  page?(page: Page): void
  notice?(stream: string, notice: Notice): void
  ended?(outcome: StreamOutcome): void
}

type Progress = { pages: number; records: number; slices: number; stop: StopReason | null }

/** Never throws for what the API or the author did: that is an outcome, and a message. */
export async function readStream(request: ReadRequest, stream: ChosenStream): Promise<StreamOutcome> {
  const { emit, watch, manifest, config } = request
  const now = request.options.now ?? Date.now
  const totals: Progress = { pages: 0, records: 0, slices: 0, stop: null }
  let redact = redactorFor(manifest, config)
  const finish = async (outcome: StreamOutcome, messages: readonly Message[]) => {
    const status = outcome.ending === 'complete' ? 'COMPLETE' : 'INCOMPLETE'
    await emit([...messages, receiptOf(outcome), statusMessage(stream.name, status, now())])
    watch?.ended?.(outcome)
    return outcome
  }

  watch?.started?.(stream.name)
  await emit([statusMessage(stream.name, 'STARTED', now())])
  try {
    const plan = planStream(manifest, stream.name, config)
    redact = redactorFor(manifest, config, plan)
    const last = await readPlanned({ request, stream, plan, totals, redact, now })
    return await finish({ name: stream.name, ...totals, ending: 'complete' }, last)
  } catch (failure) {
    const { name } = stream
    const error = redactedError(failure, redact)
    if (isCancelled(failure) || request.options.signal?.aborted) {
      const log = logMessage('WARN', `Stream "${name}" was cancelled.`)
      return finish({ name, ...totals, ending: 'cancelled', error }, [log])
    }
    return finish({ name, ...totals, ending: 'failed', error }, [failureMessage(failure, now(), redact, name)])
  }
}

type Planned = {
  request: ReadRequest
  stream: ChosenStream
  plan: StreamPlan
  totals: Progress
  redact: Redact
  now: () => number
}

/** Emits every page as it comes; gives back the messages that only a stream read to its end deserves. */
async function readPlanned({ request, stream, plan, totals, redact, now }: Planned): Promise<Message[]> {
  const { manifest, config, options, emit, watch } = request
  const { name } = stream
  const state = stream.isIncremental ? request.states.get(name) : undefined
  const cursor = cursorIn(plan, state)
  if (state !== undefined && cursor === undefined && plan.slicing.cursor !== null) {
    await emit([
      logMessage('WARN', `The state of stream "${name}" holds no cursor to go on from; it is read from the start.`),
    ])
  }
  const tracker = trackState(plan, { config, now, cursor })
  const onNotice = (notice: Notice) => {
    options.onNotice?.(notice)
    watch?.notice?.(name, notice)
    void emit([logMessage(isWarning(notice) ? 'WARN' : 'INFO', redact(sayNotice(name, notice)))])
  }

  let counted = 0
  let isCut = false
  let hasState = false
  for await (const page of readPages(manifest, { ...options, stream: name, config, cursor, onNotice })) {
    const { records, receipt } = page
    const messages: Message[] = []
    if (totals.records === 0 && records.length > 0) messages.push(statusMessage(name, 'RUNNING', now()))
    const emittedAt = now()
    for (const record of records) messages.push(recordMessage(name, record, emittedAt))
    tracker.observe(records)
    totals.pages++
    totals.records += records.length
    if (receipt !== undefined) {
      totals.slices++
      totals.stop = receipt.stop
      // Behind a slice that was cut, or failed, lie unread records: a state would hide them from every later read.
      isCut ||= receipt.stop === 'limit' || receipt.stop === 'error'
      const reached = isCut ? null : tracker.current()
      if (reached !== null) {
        messages.push(stateMessage(name, reached, totals.records - counted))
        counted = totals.records
        hasState = true
      }
    }
    watch?.page?.(page)
    await emit(messages)
  }
  if (isCut || hasState) return []
  return [stateMessage(name, tracker.current() ?? wholeReadState, totals.records - counted)]
}

function receiptOf(outcome: StreamOutcome): Message {
  return logMessage('INFO', sayReceipt(outcome.name, outcome, outcome.ending))
}
