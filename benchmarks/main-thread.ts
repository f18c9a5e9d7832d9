/** A page's main thread, as the browser's own tracer saw it: how long each task took, and how much of it was script. */
import type { Browser, Page } from 'playwright-core'

export type Task = {
  /** Whether it ran up to the first picture after an event: what a person waits for. */
  readonly isBeforePaint: boolean
  /** Processor time of the thread, so that other processes do not count (ms). */
  readonly took: number
  /** What of it was JavaScript, parsing it included (ms). */
  readonly script: number
}

type TraceEvent = {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

const categories = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8', '__metadata']

/** What runs or reads JavaScript; those inside another are not counted again. */
const scripts = new Set([
  'EventDispatch',
  'FunctionCall',
  'EvaluateScript',
  'v8.compile',
  'v8.compileModule',
  'v8.evaluateModule',
  'TimerFire',
  'FireAnimationFrame',
  'FireIdleCallback',
  'RunMicrotasks',
  'V8.GCScavenger',
  'MajorGC',
  'MinorGC',
])

/** The tasks of the page's main thread while `work` runs. */
export async function tasksDuring(browser: Browser, page: Page, work: () => Promise<unknown>): Promise<Task[]> {
  await browser.startTracing(page, { categories })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const main = mainThread(traceEvents)
  const own = traceEvents
    .filter((event) => event.ph === 'X' && event.pid === main.pid && event.tid === main.tid)
    .toSorted((one, other) => one.ts - other.ts)
  const pressed = own.find(({ name }) => name === 'EventDispatch')?.ts ?? 0
  const painted = own.find(({ name, ts }) => name === 'Paint' && ts > pressed)?.ts ?? Number.POSITIVE_INFINITY
  return own
    .filter(({ name }) => name === 'RunTask')
    .map((task) => ({
      isBeforePaint: task.ts <= painted,
      took: (task.tdur ?? 0) / 1000,
      script: scriptIn(own, task) / 1000,
    }))
}

function mainThread(events: readonly TraceEvent[]): { readonly pid: number; readonly tid: number } {
  // Of several renderers, the one that did the most is the page's.
  const threads = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
  const work = ({ pid, tid }: TraceEvent) => events.filter((event) => event.pid === pid && event.tid === tid).length
  const [main] = threads.toSorted((one, other) => work(other) - work(one))
  if (main === undefined) throw new Error('The trace has no main thread of a page.')
  return main
}

function scriptIn(events: readonly TraceEvent[], task: TraceEvent): number {
  const end = task.ts + (task.dur ?? 0)
  let total = 0
  let until = task.ts
  let index = firstFrom(events, task.ts)
  for (let event = events[index]; event !== undefined && event.ts < end; event = events[++index]) {
    if (event === task || !scripts.has(event.name) || event.ts < until) continue
    total += event.tdur ?? 0
    until = event.ts + (event.dur ?? 0)
  }
  return total
}

function firstFrom(events: readonly TraceEvent[], time: number): number {
  let [low, high] = [0, events.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((events[middle] as TraceEvent).ts < time) low = middle + 1
    else high = middle
  }
  return low
}
