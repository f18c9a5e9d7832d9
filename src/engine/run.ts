/** What all streams of one run share: the config, the way to the network, the clock, the secrets to hide. */
import type { CustomTools } from './custom/component.ts'
import { openSlots, type TakeSlot } from './jobs/slots.ts'
import type { Manifest } from './manifest/manifest.ts'
import { secretsOf } from './plan/config.ts'
import { jobLimitOf } from './plan/job.ts'
import type { Config } from './plan/plan.ts'
import type { Notice } from './response/notice.ts'
import { createRedactor, type Redactor } from './response/redact.ts'
import type { RetryRules } from './response/retry.ts'
import type { Network } from './response/send.ts'

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
}

export type Run = Tools & {
  readonly manifest: Manifest
  readonly config: Config
  readonly retry: Partial<RetryRules>
  readonly trustedOrigins: readonly string[]
  /** Knows the secrets of the spec, and learns those that streams use as they are opened. */
  readonly redactor: Redactor
  /** Jobs of all streams together stay below the source's limit. */
  readonly takeJobSlot: TakeSlot
}

/** Everything told on the way is without secrets. */
export function openRun(manifest: Manifest, options: RunOptions, tools: Tools): Run {
  const { config, retry = {}, trustedOrigins = [] } = options
  const redactor = createRedactor(secretsOf(manifest, config))
  const report = (notice: Notice) => tools.report(withoutSecrets(notice, redactor))
  const takeJobSlot = openSlots(jobLimitOf(manifest, config))
  return { ...tools, manifest, config, retry, trustedOrigins, redactor, report, takeJobSlot }
}

/** An address that is signed is as good as a credential. */
function withoutSecrets(notice: Notice, redactor: Redactor): Notice {
  const members = Object.entries(redactor.value(notice) as Notice).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' && /^https?:/.test(value) ? redactor.url(value) : value,
  ])
  return Object.fromEntries(members) as Notice
}
