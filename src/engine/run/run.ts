/** What all streams of one run share: the config, the network, the clock, the secrets to hide. */
import type { SourceLocation } from '../../std/errors.ts'
import type { CustomTools } from '../custom/component.ts'
import { type JobPool, openJobPool } from '../jobs/pool.ts'
import type { Manifest } from '../manifest/manifest.ts'
import { planBudget, planConcurrency } from '../plan/budget.ts'
import type { SharedBudget } from '../plan/shared-budget.ts'
import { secretsOf } from '../secrets/find-secrets.ts'
import { jobLimitOf } from '../plan/job.ts'
import type { Config } from '../plan/plan.ts'
import type { Purpose } from '../request/http-request.ts'
import { withBudget } from '../response/budget/budget.ts'
import { pauseEverywhere, type SharedPause, sharedPause } from '../response/budget/shared-pause.ts'
import { type SteadyClock, steadyClock } from '../response/budget/steady-clock.ts'
import { withTurnstile } from '../response/budget/slots.ts'
import { type Send, withPurpose } from '../response/http-response.ts'
import type { Notice } from '../response/notice.ts'
import { type Redactor, createRedactor } from '../secrets/redact.ts'
import type { Reached, RetryRules } from '../response/retry.ts'
import { type ReuseStore, createReuseStore } from '../response/reuse.ts'
import type { Network } from '../response/send.ts'
import type { ResolvedStream } from '../streams/resolve-streams.ts'
import { withClock } from '../template/template.ts'
import { type Tokens, openTokens } from './tokens.ts'
import type { StreamState } from '../slices/stream-cursor.ts'

/** Time, randomness and the network are passed in. */
export type Tools = CustomTools & {
  /** A text file of the connector's folder, null when there is none; absent where there is no folder. */
  readonly readFile?: (path: string, at: SourceLocation) => Promise<string | null>
  readonly network: Network
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly random: () => number
  readonly report: (notice: Notice) => void
}

export type RunOptions = {
  readonly config: Config
  readonly retry?: Partial<RetryRules> | undefined
  /** Other origins that may receive a stream's credentials. */
  readonly trustedOrigins?: readonly string[] | undefined
  /** How many slices are read, and requests sent, at a time; as the manifest says when absent. */
  readonly concurrency?: number | undefined
  /** Tokens to share with other reads of the same config and network; closed by the caller. */
  readonly tokens?: Tokens | undefined
  /** Given the config anew whenever it changes: refresh tokens that work once are kept there. Waited for. */
  readonly onConfig?: ((config: Config) => void | Promise<void>) | undefined
  /** The budget of several processes that read from the same account; each counts for itself when absent. */
  readonly sharedBudget?: SharedBudget | undefined
  /** Where earlier reads stopped, by stream: they decide which half of a StateDelegatingStream is read. */
  readonly states?: ReadonlyMap<string, StreamState> | undefined
}

export type Run = Tools & {
  readonly manifest: Manifest
  readonly config: Config
  readonly retry: Partial<RetryRules>
  readonly trustedOrigins: readonly string[]
  /** How many slices are read at a time. */
  readonly concurrency: number
  /** How many requests are under way at a time. */
  readonly requestsAtOnce: number
  /** Responses that several streams need. */
  readonly answers: ReuseStore
  /** Knows the secrets of the spec, and learns those that streams use as they are opened. */
  readonly redactor: Redactor
  /** Jobs of all streams together stay below the source's limit. */
  readonly jobs: JobPool
  readonly tokens: Tokens
  readonly onConfig: RunOptions['onConfig']
  /** Counts waits, whatever becomes of the time of day. */
  readonly clock: SteadyClock
  readonly shared: SharedPause
  readonly reached: Reached
  readonly states: ReadonlyMap<string, StreamState>
  /** The streams that only the API knows, requested once for the whole run. */
  /** `shortage`: a sentence for people, where the list that streams are made of is known to be incomplete. */
  readonly resolved: { streams?: Promise<readonly ResolvedStream[]>; shortage?: string }
}

/** Everything reported is without secrets, and every request counts in the manifest's budget. */
export function openRun(manifest: Manifest, options: RunOptions, tools: Tools): Run {
  const { retry = {}, trustedOrigins = [], tokens = openTokens(), onConfig } = options
  const { states = new Map<string, StreamState>() } = options
  const config = withClock(options.config, tools.now)
  const redactor = createRedactor(secretsOf(manifest, config))
  const report = (notice: Notice) => tools.report(shownNotice(notice, redactor))
  const clock = steadyClock(tools)
  const { sharedBudget } = options
  const ownPause = sharedPause(clock.now)
  const { slices: concurrency, requests: requestsAtOnce } = planConcurrency({ manifest, config }, options.concurrency)
  // A request that waits for the budget takes no slot.
  const network = { ...tools.network, send: withinBudget(withTurnstile(tools.network.send, requestsAtOnce)) }
  tokens.attach(redactor)
  return {
    ...tools,
    manifest,
    config,
    retry,
    trustedOrigins,
    concurrency,
    requestsAtOnce,
    answers: createReuseStore(),
    tokens,
    onConfig,
    redactor,
    report,
    clock,
    network,
    shared: sharedBudget === undefined ? ownPause : pauseEverywhere(ownPause, sharedBudget),
    reached: new Set(),
    states,
    resolved: {},
    jobs: openJobPool(jobLimitOf(manifest, config)),
  }

  function withinBudget(send: Send): Send {
    try {
      const budget = planBudget({ manifest, config })
      return budget === null ? send : withBudget(send, budget, { clock, now: tools.now, report, shared: sharedBudget })
    } catch (error) {
      throw redactor.error(error)
    }
  }
}

/** The same run, with another receiver of notices. */
export function reportingTo(run: Run, report: Tools['report']): Run {
  return { ...run, report: (notice) => report(shownNotice(notice, run.redactor)) }
}

/** The same run, whose requests have another purpose than pages of a stream. A purpose set closer to the request wins. */
export function askingFor(run: Run, purpose: Purpose): Run {
  return { ...run, network: { ...run.network, send: withPurpose(run.network.send, purpose) } }
}

/** A notice without secrets; an address that is signed is as good as one. */
function shownNotice(notice: Notice, redactor: Redactor): Notice {
  const members = Object.entries(redactor.value(notice) as Notice).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' && /^https?:/.test(value) ? redactor.url(value) : value,
  ])
  return Object.fromEntries(members) as Notice
}

type Redacting = { readonly redactor: Redactor }

/** @example const plan = await redactErrors(run, () => planComponent(run, component)) */
export async function redactErrors<T>({ redactor }: Redacting, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw redactor.error(error)
  }
}

/** The same for values that come one by one. */
export async function* redactErrorsOf<T>({ redactor }: Redacting, values: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* values
  } catch (error) {
    throw redactor.error(error)
  }
}
