/** A run + one stream of its manifest → the stream ready to be read: its plan, its slices, its way to the API. */
import { instantiate } from './custom/component.ts'
import { instantiateAll } from './custom/instances.ts'
import { loadSchema, type ReadRetriever, type SchemaOwner } from './load-schema.ts'
import type { Component } from './manifest/manifest.ts'
import type { JobTools } from './jobs/run-job.ts'
import { openJob } from './open-job.ts'
import { misfitReporter } from './misfits.ts'
import { once } from './once.ts'
import { openDecoder, type OpenDecoder } from './open-decoder.ts'
import { openProperties, type OpenProperties } from './open-properties.ts'
import { openRequester, type OpenRequester } from './open-requester.ts'
import { requestedSize } from './pagination/next-page.ts'
import { PaginationStrategy } from './pagination/strategy.ts'
import type { Config, JsonSchema, StreamPlan } from './plan/plan.ts'
import type { PlanInput } from './plan/read-fields.ts'
import { planComponent } from './plan/stream.ts'
import { ownSlices } from './read-custom.ts'
import { openParents, type ParentOptions } from './read-parents.ts'
import { readPages } from './read.ts'
import type { RecordTools } from './records/select.ts'
import { refuseFiles } from './refuse-files.ts'
import type { PageToken } from './request/page-token.ts'
import { pagedValues } from './request/placement.ts'
import { placedProperties, withProperties } from './request/property-chunks.ts'
import type { RequestInput } from './request/request.ts'
import type { Redactor } from './response/redact.ts'
import { Retriever } from './retriever.ts'
import type { Run } from './run.ts'
import { openCursor, type StreamCursor } from './slices/cursor.ts'
import { keepsParents } from './slices/parent-state.ts'
import { partitionsOf } from './slices/partitions.ts'
import { migrateState } from './slices/migrate-state.ts'
import { PartitionRouter } from './slices/router.ts'
import type { Slice } from './slices/slice.ts'
import { sliceOptions, slicesOf } from './slices/slices.ts'
import type { StreamState } from './slices/state.ts'
import { selectorClasses } from './stream-classes.ts'
import { delegateOf } from './streams/delegate.ts'

export type StreamOptions = {
  /** What an earlier read left behind, in Airbyte's shape. */
  readonly state?: StreamState | undefined
  /** Other streams of the run may ask for the same pages. */
  readonly isShared?: boolean
  /** The field that a catalog chose as the cursor, for streams that leave the choice. */
  readonly cursorField?: string | undefined
  /** The schema of the fields that somebody chose to read, where the stream asks for fields by name. */
  readonly chosenSchema?: JsonSchema | undefined
  /** Whether the files that records name are wanted besides. */
  readonly wantsFiles?: boolean | undefined
  /** Cancels what must be asked before the stream can be opened. */
  readonly signal?: AbortSignal | undefined
}

export type OpenStream = Omit<OpenRequester, 'plan'> & {
  readonly plan: StreamPlan
  readonly config: Config
  readonly strategy: PaginationStrategy | null
  /** What prepares the records, where the API does so on request. */
  readonly job: JobTools | null
  /** The connector's own class that reads the slices. */
  readonly retriever: Retriever | null
  readonly decoder: OpenDecoder
  readonly redactor: Redactor
  readonly now: () => number
  readonly warn: (text: string) => void
  /** How many slices are read side by side. */
  readonly width: number
  /** Knows which windows are left, and how far the stream got. */
  readonly cursor: StreamCursor
  /** Null where requests name no properties. */
  readonly properties: OpenProperties | null
  /** What its records pass through. Loads the schema, if they are made to fit one. */
  recordTools(signal: AbortSignal): Promise<RecordTools>
  slices(options: ParentOptions): AsyncIterable<Slice>
  requestInput(slice: Slice, token: PageToken | null, properties?: readonly string[]): RequestInput
}

/** Any stream of the manifest. Of a StateDelegatingStream, the half that its state calls for. */
export function openStream(run: Run, component: Component, options: StreamOptions = {}): Promise<OpenStream> {
  return withoutSecrets(run, async () => {
    const saved = options.state ?? run.states.get(String(component.name))
    const { stream, isStale } = delegateOf(run, component, saved, run.now())
    const state = isStale ? undefined : options.state
    return openPlanned(run, planComponent(planningFrom(run, state), stream), { ...options, state })
  })
}

/** Parents that delegate by state do so by the part of it that the child keeps for them. */
function planningFrom(run: Run, state: StreamState | undefined): PlanInput {
  const { manifest, config } = run
  const parentStates = (state?.parent_state ?? {}) as Record<string, StreamState>
  const chooseParent = (parent: Component) =>
    delegateOf(run, parent, parentStates[String(parent.name)], run.now()).stream
  return { manifest, config, chooseParent }
}

/** A stream whose plan is known, a parent's among them. */
export async function openPlanned(run: Run, plan: StreamPlan, options: StreamOptions = {}): Promise<OpenStream> {
  const { config, redactor, now, trustedOrigins } = run
  const { pagination, slicing, properties } = plan
  if (plan.hasFiles) refuseFiles(run, plan, options.wantsFiles ?? false)
  const strategy = pagination.kind === 'custom' ? await instantiate(pagination, PaginationStrategy, run) : null
  const pageSize = requestedSize(pagination, strategy)
  const warn = (text: string) => run.report({ kind: 'warning', text })
  const state = await migrateState(slicing.migrations, options.state, run)
  const openParent = (parent: StreamPlan, saved: StreamOptions) =>
    openPlanned(run, parent, { ...saved, isShared: true })
  const parents = openParents(openParent, state, slicing.routers)
  const cursor = openCursor(slicing, {
    config,
    now,
    state,
    cursorField: options.cursorField,
    report: warn,
    parentState: keepsParents(slicing.routers) ? (isWhole) => parents.states(isWhole) : undefined,
  })
  const instances = await instantiateAll(selectorClasses(plan.selector), run)
  const onMisfit = misfitReporter(run.report)
  const schema = once((signal) => schemaOf(run, plan, signal))
  const retriever = plan.retriever === null ? null : await instantiate(plan.retriever, Retriever, run)
  const stream: OpenStream = {
    ...openRequester(run, plan.requester, options.isShared),
    plan,
    config,
    strategy,
    job: plan.job === null ? null : await openJob(run, plan.job, plan.name),
    retriever,
    decoder: await openDecoder(run, plan.decoder),
    redactor,
    now,
    warn,
    // Jobs take long and ask little: as many slices wait for theirs as the source allows jobs.
    width: plan.job === null ? run.concurrency : Math.max(run.concurrency, run.jobs.limit),
    cursor,
    properties:
      properties &&
      openProperties(run, properties, {
        read: (signal) => readerIn(run, signal),
        schema: async (signal) => options.chosenSchema ?? schema(signal),
      }),
    async recordTools(signal) {
      const isFitted = plan.selector.normalization.kind !== 'none'
      return { instances, onMisfit, schema: isFitted ? await schema(signal) : null }
    },
    slices(reading) {
      const partitions = partitionsOf(slicing.routers, {
        config,
        warn,
        // Airbyte: a read that goes on from a state asks for first pages too.
        takesFirstPages: state === undefined,
        readParent: (parent) => parents.read(parent, reading),
        routerOf: ({ custom }) => instantiate(custom, PartitionRouter, run),
      })
      return withoutSecretsInErrors(slicesOf(partitions, cursor), redactor)
    },
    requestInput(slice, token, asked) {
      // Airbyte: a download is asked for without what the slice would inject.
      const skipsSlice = plan.job !== null || (plan.sliceOptionsOnFirstPageOnly && token !== null)
      const ofSlice = skipsSlice ? [] : sliceOptions(slicing, slice)
      return {
        requester: plan.requester,
        at: plan.at,
        config,
        slice: asked === undefined ? slice : withProperties(slice, asked),
        token,
        placed: [...placedProperties(properties, asked), ...pagedValues(pagination, token, pageSize), ...ofSlice],
        trustedOrigins,
      }
    },
  }
  if (retriever === null) return stream
  const slices = (reading: ParentOptions) => withoutSecretsInErrors(ownSlices(stream, retriever, reading), redactor)
  return { ...stream, slices }
}

/** The schema of a stream's records, asked for where only the API knows it; null when nobody declares one. */
export function schemaOf(run: Run, owner: SchemaOwner, signal: AbortSignal): Promise<JsonSchema | null> {
  return withoutSecrets(run, () => loadSchema(run, owner, readerIn(run, signal)))
}

/** Airbyte: a retriever inside another component is read as if nothing cut it into slices. */
function readerIn(run: Run, signal: AbortSignal): ReadRetriever {
  return async function* (retriever) {
    const component = { type: 'DeclarativeStream', name: 'dynamic_properties', retriever }
    const stream = await openStream(run, component)
    const slice = { partition: {}, window: {} }
    for await (const { records } of readPages(stream, slice, { signal, prefetch: 'off' })) yield* records
  }
}

export async function withoutSecrets<T>({ redactor }: Run, open: () => T | Promise<T>): Promise<T> {
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
