/** A run + one stream of its manifest → the stream ready to be read: its plan, its slices, its way to the API. */
import { instantiate } from './custom/component.ts'
import type { Component } from './manifest/manifest.ts'
import { openDecoder, type OpenDecoder } from './open-decoder.ts'
import { openRequester, type OpenRequester } from './open-requester.ts'
import { requestedSize } from './pagination/next-page.ts'
import { PaginationStrategy } from './pagination/strategy.ts'
import type { Config, StreamPlan } from './plan/plan.ts'
import { findStream, planComponent } from './plan/stream.ts'
import { openParents, type ParentOptions } from './read-parents.ts'
import type { PageToken } from './request/page-token.ts'
import { pagedValues } from './request/placement.ts'
import type { RequestInput } from './request/request.ts'
import type { Redactor } from './response/redact.ts'
import type { Run } from './run.ts'
import { openCursor, type StreamCursor } from './slices/cursor.ts'
import { partitionsOf } from './slices/partitions.ts'
import { migrateState } from './slices/migrate-state.ts'
import { PartitionRouter } from './slices/router.ts'
import type { Slice } from './slices/slice.ts'
import { sliceOptions, slicesOf } from './slices/slices.ts'
import type { StreamState } from './slices/state.ts'

export type StreamOptions = {
  /** What an earlier read left behind, in Airbyte's shape. */
  readonly state?: StreamState | undefined
  /** Other streams of the run may ask for the same pages. */
  readonly isShared?: boolean
  /** The field that a catalog chose as the cursor, for streams that leave the choice. */
  readonly cursorField?: string | undefined
}

export type OpenStream = Omit<OpenRequester, 'plan'> & {
  readonly plan: StreamPlan
  readonly config: Config
  readonly strategy: PaginationStrategy | null
  readonly decoder: OpenDecoder
  readonly redactor: Redactor
  readonly now: () => number
  /** How many slices are read side by side. */
  readonly width: number
  /** Knows which windows are left, and how far the stream got. */
  readonly cursor: StreamCursor
  slices(options: ParentOptions): AsyncIterable<Slice>
  requestInput(slice: Slice, token: PageToken | null): RequestInput
}

/** The stream of this name; the only one where none is named. */
export function openStreamNamed(run: Run, name: string | undefined, options: StreamOptions = {}): Promise<OpenStream> {
  return openStream(run, () => findStream(run.manifest, name), options)
}

/** Any stream of the manifest. */
export function openStream(run: Run, component: () => Component, options: StreamOptions = {}): Promise<OpenStream> {
  return withoutSecrets(run, async () => openPlanned(run, planComponent(run, component()), options))
}

/** A stream whose plan is known, a parent's among them. */
export async function openPlanned(run: Run, plan: StreamPlan, options: StreamOptions = {}): Promise<OpenStream> {
  const { config, redactor, now, trustedOrigins } = run
  const { pagination, slicing } = plan
  const strategy = pagination.kind === 'custom' ? await instantiate(pagination, PaginationStrategy, run) : null
  const pageSize = requestedSize(pagination, strategy)
  const warn = (message: string) => run.report({ kind: 'warning', message })
  const state = await migrateState(slicing.migrations, options.state, run)
  const parents = openParents((parent, saved) => openPlanned(run, parent, { ...saved, isShared: true }), state)
  const cursor = openCursor(slicing, {
    config,
    now,
    state,
    cursorField: options.cursorField,
    report: warn,
    parentState: () => parents.states(),
  })
  return {
    ...openRequester(run, plan.requester, options.isShared),
    plan,
    config,
    strategy,
    decoder: await openDecoder(run, plan.decoder),
    redactor,
    now,
    width: run.concurrency,
    cursor,
    slices(reading) {
      const partitions = partitionsOf(slicing.routers, {
        config,
        warn,
        // Airbyte: a read that goes on from a state asks for first pages too.
        takesFirstPages: state === undefined,
        readParent: (parent) => parents.read(parent, reading),
        routerOf: ({ custom }) => instantiate(custom, PartitionRouter, run),
      })
      return withoutSecretsInErrors(slicesOf(slicing, partitions, cursor, warn), redactor)
    },
    requestInput(slice, token) {
      const skipsSlice = plan.sliceOptionsOnFirstPageOnly && token !== null
      const ofSlice = skipsSlice ? [] : sliceOptions(slicing, slice)
      return {
        requester: plan.requester,
        at: plan.at,
        config,
        slice,
        token,
        placed: [...pagedValues(pagination, token, pageSize), ...ofSlice],
        trustedOrigins,
      }
    },
  }
}

async function withoutSecrets<T>({ redactor }: Run, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    throw redactor.error(error)
  }
}

async function* withoutSecretsInErrors<T>(values: AsyncIterable<T>, redactor: Redactor): AsyncGenerator<T> {
  try {
    yield* values
  } catch (error) {
    throw redactor.error(error)
  }
}
