/** A run + one stream of its manifest → the stream ready to be read: its plan, its slices, its way to the API. */
import type { Component } from './manifest/manifest.ts'
import { instantiate } from './custom/component.ts'
import { instantiateAll } from './custom/instances.ts'
import { loadSchema, type ReadRetriever, type SchemaOwner } from './load-schema.ts'
import { once } from './once.ts'
import { openProperties, type OpenProperties } from './open-properties.ts'
import { requestedSize } from './pagination/next-page.ts'
import { PaginationStrategy } from './pagination/strategy.ts'
import { openRequester, type OpenRequester } from './open-requester.ts'
import type { Config, JsonRecord, JsonSchema, StreamPlan } from './plan/plan.ts'
import { findStream, planComponent } from './plan/stream.ts'
import { misfitReporter } from './misfits.ts'
import { readPages } from './read.ts'
import { refuseFiles } from './refuse-files.ts'
import type { RecordTools } from './records/select.ts'
import type { PageToken } from './request/page-token.ts'
import { pagedValues } from './request/placement.ts'
import { placedProperties, withProperties } from './request/property-chunks.ts'
import type { RequestInput } from './request/request.ts'
import type { Redactor } from './response/redact.ts'
import type { Run } from './run.ts'
import type { Slice } from './slices/slice.ts'
import { sliceOptions, slicesOf } from './slices/slices.ts'
import { isWithin } from './slices/windows.ts'
import { selectorClasses } from './stream-classes.ts'

export type StreamOptions = {
  /** Where an earlier read stopped, in the format of the stream's cursor. */
  readonly cursor?: string | undefined
  /** The schema of the fields that somebody chose to read, where the stream asks for fields by name. */
  readonly chosenSchema?: JsonSchema | undefined
  /** Whether the files that records name are wanted besides. */
  readonly wantsFiles?: boolean | undefined
}

export type OpenStream = Omit<OpenRequester, 'plan'> & {
  readonly plan: StreamPlan
  readonly config: Config
  readonly strategy: PaginationStrategy | null
  readonly redactor: Redactor
  readonly now: () => number
  readonly isWanted: ((record: JsonRecord) => boolean) | null
  /** Null where requests name no properties. */
  readonly properties: OpenProperties | null
  /** What its records pass through. Loads the schema, if they are made to fit one. */
  recordTools(signal: AbortSignal): Promise<RecordTools>
  slices(): AsyncIterable<Slice>
  requestInput(slice: Slice, token: PageToken | null, properties?: readonly string[]): RequestInput
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
    if (plan.hasFiles) refuseFiles(run, plan, options.wantsFiles ?? false)
    const strategy =
      plan.pagination.kind === 'custom' ? await instantiate(plan.pagination, PaginationStrategy, run) : null
    const { send, unsigned } = openRequester(run, plan.requester)
    const sliceTools = { config, now, cursor: options.cursor }
    const pageSize = requestedSize(plan.pagination, strategy)
    const window = plan.slicing.cursor
    const instances = await instantiateAll(selectorClasses(plan.selector), run)
    const onMisfit = misfitReporter(run.report)
    const schema = once((signal) => schemaOf(run, plan, signal))
    const { properties } = plan
    return {
      plan,
      config,
      strategy,
      redactor,
      send,
      unsigned,
      now,
      isWanted: window?.isClientSide ? isWithin(window, sliceTools) : null,
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
      slices: () => withoutSecretsInErrors(slicesOf(plan.slicing, sliceTools), redactor),
      requestInput(slice, token, asked) {
        const skipsSlice = plan.sliceOptionsOnFirstPageOnly && token !== null
        const ofSlice = skipsSlice ? [] : sliceOptions(plan.slicing, slice)
        return {
          requester: plan.requester,
          at: plan.at,
          config,
          slice: asked === undefined ? slice : withProperties(slice, asked),
          token,
          placed: [
            ...placedProperties(plan.properties, asked),
            ...pagedValues(plan.pagination, token, pageSize),
            ...ofSlice,
          ],
          trustedOrigins,
        }
      },
    }
  })
}

/** The schema of a stream's records, asked for where only the API knows it; null when nobody declares one. */
export function schemaOf(run: Run, owner: SchemaOwner, signal: AbortSignal): Promise<JsonSchema | null> {
  return withoutSecrets(run, () => loadSchema(run, owner, readerIn(run, signal)))
}

/** Airbyte: a retriever inside another component is read as if nothing cut it into slices. */
function readerIn(run: Run, signal: AbortSignal): ReadRetriever {
  return async function* (retriever) {
    const stream = await openStream(run, { type: 'DeclarativeStream', name: 'dynamic_properties', retriever })
    const slice = { partition: {}, window: {} }
    for await (const { records } of readPages(stream, slice, { signal, prefetch: 'off' })) yield* records
  }
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
