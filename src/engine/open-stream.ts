/** Manifest + config + tools → one stream ready to be read: its plan, its slices, its way to the API. */
import { ConnectorError, type SourceLocation } from '../errors.ts'
import type { Manifest } from './manifest/manifest.ts'
import { requestedSize, runStrategy } from './pagination/next-page.ts'
import { PaginationStrategy, type StrategyOptions } from './pagination/strategy.ts'
import { outcomeWith } from './outcome-with.ts'
import { secretsOf } from './plan/config.ts'
import type { Config, JsonRecord, StreamPlan } from './plan/plan.ts'
import { planStream } from './plan/stream.ts'
import { type Credentials, credentialsOf, secretTexts, unsignLink } from './request/auth.ts'
import type { PageToken } from './request/page-token.ts'
import type { RequestInput } from './request/request.ts'
import { withCookies } from './response/cookies.ts'
import type { Send } from './response/http-response.ts'
import type { Notice } from './response/notice.ts'
import { createRedactor, type Redactor } from './response/redact.ts'
import { withRedirects } from './response/redirects.ts'
import { type RetryRules, withRetry } from './response/retry.ts'
import type { Network } from './response/send.ts'
import { signed } from './response/signed.ts'
import type { Slice } from './slices/slice.ts'
import { sliceOptions, slicesOf } from './slices/slices.ts'
import { isWithin } from './slices/windows.ts'
import { waitWith } from './wait-with.ts'

/** Time, randomness and the network are handed in. */
export type Tools = {
  readonly network: Network
  readonly now: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly random: () => number
  readonly report: (notice: Notice) => void
  /** Finds a class of the connector's own; absent where custom code may not run. */
  readonly loadClass?: (
    className: string,
    base: typeof PaginationStrategy,
    at: SourceLocation,
  ) => Promise<typeof PaginationStrategy>
}

export type StreamOptions = {
  readonly stream?: string | undefined
  readonly config: Config
  /** Where an earlier read stopped, in the format of the stream's cursor. */
  readonly cursor?: string | undefined
  readonly retry?: Partial<RetryRules> | undefined
  /** Origins besides the stream's own that may receive its credentials. */
  readonly trustedOrigins?: readonly string[] | undefined
}

export type OpenStream = {
  readonly plan: StreamPlan
  readonly config: Config
  readonly strategy: PaginationStrategy | null
  readonly redactor: Redactor
  readonly send: Send
  readonly now: () => number
  readonly isWanted: ((record: JsonRecord) => boolean) | null
  slices(): Iterable<Slice>
  /** The same link with the mark where it repeats the credential. */
  unsigned(token: PageToken): PageToken
  requestInput(slice: Slice, token: PageToken | null): RequestInput
}

export async function openStream(manifest: Manifest, options: StreamOptions, tools: Tools): Promise<OpenStream> {
  const redactor = createRedactor(secretsOf(manifest, options.config))
  try {
    return await openWith(redactor, manifest, options, tools)
  } catch (error) {
    throw redactor.error(error)
  }
}

async function openWith(
  redactor: Redactor,
  manifest: Manifest,
  options: StreamOptions,
  tools: Tools,
): Promise<OpenStream> {
  const { config } = options
  const plan = planStream(manifest, options.stream, config)
  for (const secret of secretTexts(plan.requester.auth, config)) redactor.add(secret)
  const strategy = await strategyOf(plan, config, tools)
  const credentials = credentialsOf(plan.requester.auth, config)
  const sliceTools = { config, now: tools.now, cursor: options.cursor }
  const pageSize = requestedSize(plan.pagination, strategy)
  return {
    plan,
    config,
    strategy,
    redactor,
    send: wayToApi({ plan, credentials, redactor }, options, tools),
    now: tools.now,
    isWanted: plan.slicing.window?.isClientSide ? isWithin(plan.slicing.window, sliceTools) : null,
    slices: () => withoutSecretsInErrors(slicesOf(plan.slicing, sliceTools), redactor),
    unsigned(token) {
      if (token.url === undefined) return token
      const url = unsignLink(credentials, token.url)
      return url === token.url ? token : { ...token, value: url, url }
    },
    requestInput: (slice, token) => ({
      stream: plan,
      config,
      slice,
      token,
      pageSize,
      trustedOrigins: options.trustedOrigins ?? [],
      sliceOptions: sliceOptions(plan.slicing, slice).map((option) => ({ source: 'slice options', ...option })),
    }),
  }
}

function* withoutSecretsInErrors<T>(values: Iterable<T>, redactor: Redactor): Generator<T> {
  try {
    yield* values
  } catch (error) {
    throw redactor.error(error)
  }
}

async function strategyOf(
  { pagination }: StreamPlan,
  config: Config,
  { loadClass }: Tools,
): Promise<PaginationStrategy | null> {
  if (pagination.kind !== 'custom') return null
  const { className, at } = pagination
  if (loadClass === undefined) {
    throw new ConnectorError('plan/no-folder', `\`${className}\` needs the folder it lives in.`, { at })
  }
  const Strategy = await loadClass(className, PaginationStrategy, at)
  // The base class is abstract; what was loaded extends it.
  const Concrete = Strategy as unknown as new (options: StrategyOptions) => PaginationStrategy
  return runStrategy(pagination, () => new Concrete({ config, parameters: pagination.fields }))
}

/** Retries around redirects around signing: each attempt and each hop is signed, or stripped, for its own address. */
function wayToApi(
  { plan, credentials, redactor }: { plan: StreamPlan; credentials: Credentials; redactor: Redactor },
  { config, retry, trustedOrigins = [] }: StreamOptions,
  tools: Tools,
): Send {
  const report = (notice: Notice) => tools.report(redactor.value(notice) as Notice)
  const sign = signed(withCookies(tools.network.send, tools.now), {
    credentials,
    trusted: trustedOrigins,
    isSecret: redactor.isSecret,
    report,
  })
  const { errors } = plan.requester
  return withRetry(withRedirects(sign), {
    rules: { maxRetries: errors.maxRetries, ...retry },
    outcomeOf: outcomeWith(errors.rules, config),
    waitAfter: waitWith(errors.waits),
    sleep: tools.sleep,
    random: tools.random,
    now: tools.now,
    report,
  })
}
