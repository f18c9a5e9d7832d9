/** Runs schedules until it is closed: the decisions are those of `decide`, the rest is waiting, storing and reporting. */
import type { FolderLock } from '../destinations/folder-lock.ts'
import { ConnectorError, hasCode } from '../std/errors.ts'
import { inParallel } from '../std/in-parallel.ts'
import { sleep } from '../std/sleep.ts'
import { currentState, decide, endedState, type ScheduleState, type StoredSchedule } from './decide.ts'
import type { RunOutcome } from './run-connection.ts'
import type { ScheduleStore } from './store.ts'

export type SchedulerOptions = {
  readonly store: ScheduleStore
  /** Syncs a connection; never throws. */
  readonly run: (name: string, signal: AbortSignal) => Promise<RunOutcome>
  readonly onEvent: (event: SchedulerEvent) => void
  readonly now?: () => number
  /** How many syncs run at a time. */
  readonly slots?: number
  /** How long a change of a file may go unnoticed. */
  readonly pollMs?: number
}

export type SchedulerEvent =
  /** Another process runs the schedules; this one takes over when that ends. */
  | { readonly kind: 'standing-by'; readonly reason: string }
  | { readonly kind: 'started'; readonly name: string }
  | {
      readonly kind: 'ended'
      readonly name: string
      readonly startedAt: number
      readonly endedAt: number
      readonly outcome: RunOutcome
    }
  | { readonly kind: 'problem'; readonly name: string | null; readonly error: Error }

export type Scheduler = {
  /** From now on schedules run by themselves. */
  readonly begin: () => void
  /** Starts a run now, schedule or not; throws `server/busy` while one is running. */
  readonly runNow: (name: string) => Promise<void>
  /** Notices a change at once. */
  readonly wake: () => void
  readonly running: () => ReadonlySet<string>
  /** Whether schedules run by themselves here, in another process, or nowhere. */
  readonly runner: () => ScheduleRunner
  /** Ends runs as Ctrl-C ends a sync: what was read is committed, and the next start resumes. */
  [Symbol.asyncDispose](): Promise<void>
}

export type ScheduleRunner = 'here' | 'another-process' | 'none'

/** Of states of new schedules. */
const savesAtOnce = 16

export function openScheduler(options: SchedulerOptions): Scheduler {
  const { store, run, onEvent, now = Date.now, slots = 4, pollMs = 5000 } = options
  const stop = new AbortController()
  const runs = new Map<string, Promise<void>>()
  const running = new Set<string>()
  /** Runs that are over, while their end is being stored: a caller who sees the end may start the next one. */
  const ending = new Set<string>()
  const problems = reportOnce((name, error) => onEvent({ kind: 'problem', name, error }))
  /** Ends the wait after a step. */
  let alarm = new AbortController()
  const wake = () => alarm.abort()
  let lock: FolderLock | null = null
  let isStandingBy = false

  /** One that cannot be stored does not start, since it would start again and again; the others do. */
  async function trySave(name: string, state: ScheduleState): Promise<boolean> {
    try {
      await store.save(name, state)
      return true
    } catch (error) {
      problems.report(name, error)
      return false
    }
  }

  async function hasLock(): Promise<boolean> {
    if (lock !== null) return true
    try {
      lock = await store.lock()
      return true
    } catch (error) {
      if (!hasCode(error, 'destinations/busy')) throw error
      if (!isStandingBy) onEvent({ kind: 'standing-by', reason: error.message })
      isStandingBy = true
      return false
    }
  }

  /** Then nothing is written there, not even a lock. */
  async function isWithoutSchedules(): Promise<boolean> {
    const found = await store.load()
    return found.schedules.length + found.problems.length === 0
  }

  /** Of a schedule that was removed or changed meanwhile nothing is stored. */
  async function settle(name: string, startedAt: number, outcome: RunOutcome): Promise<void> {
    const { receipts: _, ...ended } = outcome
    const found = await store.find(name)
    if (found === null || found.state === null) return
    const before = { ...found.state, last: { ...(found.state.last ?? emptyRun), startedAt } }
    await store.save(name, endedState(found.schedule, before, ended, now()))
  }

  async function runOnce(name: string): Promise<void> {
    const startedAt = now()
    onEvent({ kind: 'started', name })
    try {
      const outcome = await run(name, stop.signal)
      ending.add(name)
      await settle(name, startedAt, outcome)
      running.delete(name)
      onEvent({ kind: 'ended', name, startedAt, endedAt: now(), outcome })
    } catch (error) {
      problems.report(name, error)
    } finally {
      ending.delete(name)
      running.delete(name)
      runs.delete(name)
      wake()
    }
  }

  function start(name: string): void {
    running.add(name)
    runs.set(name, runOnce(name))
  }

  /** Starts what is due, as far as its state can be stored, and returns when to look again. */
  async function startDue(schedules: readonly StoredSchedule[]): Promise<number | null> {
    const unsaved = new Set<string>()
    for (;;) {
      const savable = schedules.filter(({ name }) => !unsaved.has(name))
      const { start: due, adopt, wakeAt } = decide(savable, running, now(), slots - running.size)
      const failedBefore = unsaved.size
      for (const { name, state } of due) {
        if (stop.signal.aborted) break
        if (await trySave(name, state)) start(name)
        else unsaved.add(name)
      }
      // The places of those that did not start are for the next ones.
      if (unsaved.size > failedBefore) continue
      const idle = adopt.filter(({ name }) => !running.has(name))
      await inParallel(idle, savesAtOnce, ({ name, state }) => trySave(name, state))
      return wakeAt
    }
  }

  async function step(): Promise<number> {
    problems.begin()
    // A standby knows that there are some.
    if (lock === null && !isStandingBy && (await isWithoutSchedules())) return pollMs
    if (!(await hasLock())) return pollMs
    // Otherwise it would look like a home whose schedules were removed.
    await store.checkFolder()
    const before = performance.now()
    const found = await store.load()
    for (const { name, error } of [...found.problems, ...found.notices]) problems.report(name, error)
    const loadMs = performance.now() - before
    const wakeAt = await startDue(found.schedules)
    problems.forgetOver()
    // With thousands of schedules, looking for changes must not become the main work.
    const restMs = Math.max(pollMs, 20 * loadMs)
    return wakeAt === null ? restMs : Math.min(restMs, Math.max(0, wakeAt - now()))
  }

  async function loop(): Promise<void> {
    while (!stop.signal.aborted) {
      alarm = new AbortController()
      const waitMs = await step().catch((error: unknown) => {
        problems.report(null, error)
        return pollMs
      })
      const { signal } = alarm
      if (!signal.aborted && !stop.signal.aborted) await sleep(waitMs, signal).catch(() => {})
    }
  }

  let looping: Promise<void> | null = null
  return {
    begin: () => void (looping ??= loop()),
    async runNow(name) {
      if (ending.has(name)) await runs.get(name)
      if (running.has(name)) throw new ConnectorError('server/busy', `A sync of ${name} is running.`)
      running.add(name)
      try {
        const found = await store.find(name)
        if (found === null) throw new ConnectorError('schedules/none', `The connection "${name}" has no schedule.`)
        await store.save(name, startedNow(found, now()))
      } catch (error) {
        running.delete(name)
        throw error
      }
      start(name)
    },
    wake,
    running: () => running,
    runner: () => (looping === null ? 'none' : lock === null && isStandingBy ? 'another-process' : 'here'),
    async [Symbol.asyncDispose]() {
      stop.abort(new Error('The scheduler was closed'))
      wake()
      await looping
      await Promise.all(runs.values())
      await lock?.release()
    },
  }
}

/** Reports each problem once, until a step of the scheduler does not meet it any more. */
function reportOnce(onProblem: (name: string | null, error: Error) => void) {
  const reported = new Set<string>()
  let present = new Set<string>()
  return {
    begin(): void {
      present = new Set()
    },
    report(name: string | null, thrown: unknown): void {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown))
      const key = JSON.stringify([name, error.message])
      present.add(key)
      if (reported.has(key)) return
      reported.add(key)
      onProblem(name, error)
    },
    forgetOver(): void {
      for (const key of reported) if (!present.has(key)) reported.delete(key)
    },
  }
}

const emptyRun = { startedAt: 0, endedAt: null, status: 'running', exitStatus: null, run: null, error: null } as const

function startedNow({ schedule, state }: StoredSchedule, at: number): ScheduleState {
  const current = currentState(schedule, state, at)
  return { ...current, last: { ...emptyRun, startedAt: at } }
}
