/** What all streams of one run share: the config, the way to the network, the clock, the secrets to hide. */
import type { CustomTools } from './custom/component.ts'
import type { Manifest } from './manifest/manifest.ts'
import { secretsOf } from './plan/config.ts'
import type { Config } from './plan/plan.ts'
import type { Notice } from './response/notice.ts'
import { createRedactor, type Redactor } from './response/redact.ts'
import type { RetryRules } from './response/retry.ts'
import type { Network } from './response/send.ts'
import type { StreamState } from './slices/state.ts'
import type { ResolvedStream } from './streams/resolve-streams.ts'

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
  /** Where earlier reads stopped, by stream: they decide which half of a StateDelegatingStream is read. */
  readonly states?: ReadonlyMap<string, StreamState> | undefined
}

export type Run = Tools & {
  readonly manifest: Manifest
  readonly config: Config
  readonly retry: Partial<RetryRules>
  readonly trustedOrigins: readonly string[]
  readonly states: ReadonlyMap<string, StreamState>
  /** Knows the secrets of the spec, and learns those that streams use as they are opened. */
  readonly redactor: Redactor
  /** What was asked for once, and serves every stream of the run. */
  readonly shared: { streams?: Promise<readonly ResolvedStream[]> }
}

/** Everything told on the way is without secrets. */
export function openRun(manifest: Manifest, options: RunOptions, tools: Tools): Run {
  const { config, retry = {}, trustedOrigins = [], states = new Map<string, StreamState>() } = options
  const redactor = createRedactor(secretsOf(manifest, config))
  const run = { ...tools, manifest, config, retry, trustedOrigins, states, redactor, shared: {} }
  return reportingTo(run, tools.report)
}

/** The same run, telling somebody else what happens on the way. */
export function reportingTo(run: Run, report: Tools['report']): Run {
  return { ...run, report: (notice) => report(run.redactor.value(notice) as Notice) }
}
