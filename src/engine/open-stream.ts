/** A run + one stream of its manifest → the stream ready to be read: its plan, its slices, its way to the API. */
import type { Component } from './manifest/manifest.ts'
import { instantiate } from './custom/component.ts'
import { requestedSize } from './pagination/next-page.ts'
import { PaginationStrategy } from './pagination/strategy.ts'
import type { JobTools } from './jobs/run-job.ts'
import { openJob } from './open-job.ts'
import { openRequester, type OpenRequester } from './open-requester.ts'
import type { Config, JsonRecord, StreamPlan } from './plan/plan.ts'
import { findStream, planComponent } from './plan/stream.ts'
import type { PageToken } from './request/page-token.ts'
import { pagedValues } from './request/placement.ts'
import type { RequestInput } from './request/request.ts'
import type { Redactor } from './response/redact.ts'
import { ownSlices } from './read-custom.ts'
import { Retriever } from './retriever.ts'
import type { Run } from './run.ts'
import type { Slice } from './slices/slice.ts'
import { sliceOptions, slicesOf } from './slices/slices.ts'
import { isWithin } from './slices/windows.ts'

export type StreamOptions = {
  /** Where an earlier read stopped, in the format of the stream's cursor. */
  readonly cursor?: string | undefined
}

export type OpenStream = Omit<OpenRequester, 'plan'> & {
  readonly plan: StreamPlan
  readonly config: Config
  readonly strategy: PaginationStrategy | null
  /** What prepares the records, where the API does so on request. */
  readonly job: JobTools | null
  /** The connector's own class that reads the slices. */
  readonly retriever: Retriever | null
  readonly redactor: Redactor
  readonly now: () => number
  readonly isWanted: ((record: JsonRecord) => boolean) | null
  slices(): AsyncIterable<Slice>
  requestInput(slice: Slice, token: PageToken | null): RequestInput
}

/** The stream of this name; the only one where none is named. */
export function openStreamNamed(run: Run, name: string | undefined, options: StreamOptions = {}): Promise<OpenStream> {
  return withoutSecrets(run, async () => openStream(run, findStream(run.manifest, name), options))
}

/** Any stream of the manifest, a parent written inside another one among them. */
export function openStream(run: Run, component: Component, options: StreamOptions = {}): Promise<OpenStream> {
  return withoutSecrets(run, async () => {
    const { config, redactor, now, trustedOrigins } = run
    const plan = planComponent(run, component)
    const strategy =
      plan.pagination.kind === 'custom' ? await instantiate(plan.pagination, PaginationStrategy, run) : null
    const { send, unsigned } = openRequester(run, plan.requester)
    const retriever = plan.retriever === null ? null : await instantiate(plan.retriever, Retriever, run)
    const sliceTools = { config, now, cursor: options.cursor }
    const pageSize = requestedSize(plan.pagination, strategy)
    const window = plan.slicing.cursor
    const stream: OpenStream = {
      plan,
      config,
      strategy,
      retriever,
      job: plan.job === null ? null : openJob(run, plan.job, plan.name),
      redactor,
      send,
      unsigned,
      now,
      isWanted: window?.isClientSide ? isWithin(window, sliceTools) : null,
      slices: () => withoutSecretsInErrors(slicesOf(plan.slicing, sliceTools), redactor),
      requestInput(slice, token) {
        // Airbyte: a download is asked for without what the slice would inject.
        const skipsSlice = plan.job !== null || (plan.sliceOptionsOnFirstPageOnly && token !== null)
        const ofSlice = skipsSlice ? [] : sliceOptions(plan.slicing, slice)
        return {
          requester: plan.requester,
          at: plan.at,
          config,
          slice,
          token,
          placed: [...pagedValues(plan.pagination, token, pageSize), ...ofSlice],
          trustedOrigins,
        }
      },
    }
    if (retriever === null) return stream
    return { ...stream, slices: () => withoutSecretsInErrors(ownSlices(stream, retriever), redactor) }
  })
}

async function withoutSecrets<T>({ redactor }: Run, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    throw redactor.error(error)
  }
}

async function* withoutSecretsInErrors<T>(
  values: Iterable<T> | AsyncIterable<T>,
  redactor: Redactor,
): AsyncGenerator<T> {
  try {
    yield* values
  } catch (error) {
    throw redactor.error(error)
  }
}
