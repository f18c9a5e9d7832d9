/** What all streams of one run share: the config, the way to the network, the clock, the secrets to hide. */
import type { CustomTools } from './custom/component.ts'
import type { Manifest } from './manifest/manifest.ts'
import { planConcurrency } from './plan/concurrency.ts'
import { secretsOf } from './plan/config.ts'
import type { Config } from './plan/plan.ts'
import type { Notice } from './response/notice.ts'
import { createRedactor, type Redactor } from './response/redact.ts'
import { createReuseStore, type ReuseStore } from './response/reuse.ts'
import type { RetryRules } from './response/retry.ts'
import type { Network } from './response/send.ts'
import { withTurnstile } from './response/turnstile.ts'

/** Time, randomness and the network are handed in. */
export type Tools = CustomTools & {
  readonly network: Network
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly random: () => number
  readonly report: (notice: Notice) => void
}

export type RunOptions = {
  readonly config: Config
  readonly retry?: Partial<RetryRules> | undefined
  /** Origins besides a stream's own that may receive its credentials. */
  readonly trustedOrigins?: readonly string[] | undefined
  /** How many slices are read, and requests sent, at a time; as the manifest says when absent. */
  readonly concurrency?: number | undefined
}

export type Run = Tools & {
  readonly manifest: Manifest
  readonly config: Config
  readonly retry: Partial<RetryRules>
  readonly trustedOrigins: readonly string[]
  readonly concurrency: number
  /** Answers that several streams need. */
  readonly answers: ReuseStore
  /** Knows the secrets of the spec, and learns those that streams use as they are opened. */
  readonly redactor: Redactor
}

/** Everything told on the way is without secrets. */
export function openRun(manifest: Manifest, options: RunOptions, tools: Tools): Run {
  const { config, retry = {}, trustedOrigins = [] } = options
  const redactor = createRedactor(secretsOf(manifest, config))
  const report = (notice: Notice) => tools.report(redactor.value(notice) as Notice)
  const concurrency = options.concurrency ?? planConcurrency({ manifest, config })
  const network = { ...tools.network, send: withTurnstile(tools.network.send, concurrency) }
  const answers = createReuseStore()
  return { ...tools, network, manifest, config, retry, trustedOrigins, concurrency, answers, redactor, report }
}
