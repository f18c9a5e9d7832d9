/** Inspections, summaries and imports as JSON text: they come from a thread, so that the server never waits for them. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { ConnectorError } from '../std/errors.ts'
import { stringifyJson } from '../std/json.ts'
import { oneAtATime } from '../std/one-at-a-time.ts'
import { programFile } from '../std/program-file.ts'
import type { ImportJob } from './imports/import-text.ts'
import type { InspectionRequest } from './wire/inspection.ts'

/** Longer ones may take more than 50 ms; a tenth of the public ones are. */
const longestHere = 100_000

/** Without work it takes memory for nothing. */
const idleMs = 60_000

export type ManifestJob =
  | { readonly kind: 'inspect'; readonly request: InspectionRequest; readonly folder: string | null }
  | { readonly kind: 'summarize'; readonly text: string }
  | ImportJob

/** What the thread sends back: the result as JSON text, or why there is none. */
export type ManifestReply =
  | { readonly result: string }
  | { readonly failure: ReturnType<ConnectorError['toJSON']> }
  | { readonly crash: string }

export type LargeManifests = {
  readonly isLarge: (text: string) => boolean
  /** The result of the job as JSON text; null where it was not needed any more when its turn came. */
  readonly run: (job: ManifestJob, signal?: AbortSignal) => Promise<string | null>
}

export function openLargeManifests(): LargeManifests {
  const inTurn = oneAtATime()
  let worker: Worker | null = null
  let ending: NodeJS.Timeout | undefined

  const started = (): Worker => {
    if (worker !== null) return worker
    const next = new Worker(programFile('server/manifest-thread'), { execArgv: [] })
    worker = next
    // A thread that waits must not keep the process alive. One that failed is replaced with the next job.
    next.unref()
    next.on('error', () => {})
    next.on('exit', () => {
      if (worker === next) worker = null
    })
    return next
  }
  const ask = async (job: ManifestJob): Promise<string> => {
    clearTimeout(ending)
    const thread = started()
    const over = new AbortController()
    const ended = once(thread, 'exit', { signal: over.signal }).then(() => {
      throw new Error('The thread that checks manifests ended without a result.')
    })
    const replied = once(thread, 'message', { signal: over.signal })
    ended.catch(() => {})
    replied.catch(() => {})
    thread.postMessage(stringifyJson(job))
    try {
      const [reply] = (await Promise.race([replied, ended])) as [ManifestReply]
      return resultOf(reply)
    } finally {
      over.abort()
      ending = setTimeout(() => void thread.terminate(), idleMs).unref()
    }
  }
  return {
    isLarge: (text) => text.length > longestHere,
    run: (job, signal) => inTurn('', async () => (signal?.aborted ? null : await ask(job))),
  }
}

function resultOf(reply: ManifestReply): string {
  if ('result' in reply) return reply.result
  if ('crash' in reply) throw new Error(reply.crash)
  const { code, message, ...details } = reply.failure
  throw new ConnectorError(code, message, details)
}
