/** A run + one stream of its manifest → the stream ready to be read: its plan, its slices, its requester. */
import type { ExpectedList } from '../response/rules/expecting-list.ts'
import { instantiate, instantiateAll } from '../custom/component.ts'
import type { Component } from '../manifest/manifest.ts'
import { unlessCancelled } from '../pages/open-signal.ts'
import { customSlices } from '../pages/read-custom.ts'
import { readPages } from '../pages/read-pages.ts'
import { type JudgeSlices, openParents } from '../pages/read-parents.ts'
import { openWholeList } from '../pages/whole-list.ts'
import { openPauses } from '../response/until-aborted.ts'
import { Retriever } from '../pages/retriever.ts'
import type { OpenStream, ParentOptions, ReadClaimedEnd } from '../pages/stream.ts'
import { requestedSize } from '../pagination/next-page.ts'
import { PaginationStrategy } from '../pagination/strategy.ts'
import type { Config, JsonSchema } from '../plan/plan.ts'
import type { DecoderPlan } from '../plan/decoder.ts'
import { type StreamPlan, planComponent } from '../plan/stream.ts'
import type { PlanInput } from '../plan/read-fields.ts'
import { readsLists, recordPathOf, truncatedIn } from '../records/extract.ts'
import type { RecordTools } from '../records/select.ts'
import { type Run, askingFor, redactErrors, redactErrorsOf } from '../run/run.ts'
import { openCursor } from '../slices/cursor.ts'
import { migrateState } from '../slices/migrate-state.ts'
import { keepsParents } from '../slices/parent-state.ts'
import { partitionsOf, withoutRepeated } from '../slices/partitions.ts'
import { PartitionRouter } from '../slices/router.ts'
import { slicesOf } from '../slices/slices.ts'
import { delegateOf } from '../streams/delegate.ts'
import { type ReadRetriever, type SchemaOwner, loadSchema } from './load-schema.ts'
import { once } from './once.ts'
import { openDecoder } from './open-decoder.ts'
import { openJob } from './open-job.ts'
import { openProperties } from './open-properties.ts'
import { openRequester } from './open-requester.ts'
import { requestInputs } from './request-input.ts'
import { selectorClasses } from '../records/record-classes.ts'
import { loadSnakeCase } from '../records/snake-case.ts'
import { type Misfit, schemaTypeName } from '../records/coerce.ts'
import type { Notice } from '../response/notice.ts'
import { ConnectorError } from '../../std/errors.ts'
import { plainNumbers } from '../../std/json.ts'
import type { StreamState } from '../slices/stream-cursor.ts'

export type StreamOptions = {
  /** The state of an earlier read, in Airbyte's shape. */
  readonly state?: StreamState | undefined
  /** When the read began, where it resumes an interrupted one, ms since 1970. */
  readonly readAt?: number | undefined
  /** Other streams of the run may ask for the same pages. */
  readonly isShared?: boolean
  /** The field that a catalog chose as the cursor, for streams that leave the choice. */
  readonly cursorField?: string | undefined
  /** The schema of the selected fields, where the stream requests fields by name. */
  readonly chosenSchema?: JsonSchema | undefined
  /** Whether the files that records name are wanted too. */
  readonly wantsFiles?: boolean | undefined
  /** Judges parent streams: what they lack their children lack too, and no state moves past it. */
  readonly judge?: JudgeSlices | undefined
  /** Finds out where the API says that its pages end, for those requested ahead. */
  readonly claimedEnd?: ReadClaimedEnd | undefined
  /** Cancels requests that are needed to open the stream. */
  readonly signal?: AbortSignal | undefined
}

/** Any stream of the manifest. Of a StateDelegatingStream, the half that its state selects. */
export function openStream(run: Run, component: Component, options: StreamOptions = {}): Promise<OpenStream> {
  return redactErrors(run, async () => {
    const saved = options.state ?? run.states.get(String(component.name))
    const { stream, isStale } = delegateOf(run, component, saved, run.now())
    const state = isStale ? undefined : options.state
    const plan = planComponent(planningFrom(run, state), stream)
    return unlessCancelled(openPlanned(run, plan, { ...options, state }), options.signal)
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
async function openPlanned(run: Run, plan: StreamPlan, options: StreamOptions = {}): Promise<OpenStream> {
  const { config, redactor, now, trustedOrigins } = run
  const { pagination, slicing, properties } = plan
  if (plan.hasFiles) refuseFiles(run, plan, options.wantsFiles ?? false)
  const strategy = pagination.kind === 'custom' ? await instantiate(pagination, PaginationStrategy, run) : null
  const pageSize = requestedSize(pagination, strategy)
  const warn = (text: string) => run.report({ kind: 'warning', text })
  const state = await migrateState(slicing.migrations, options.state, run)
  const openParent = (parent: StreamPlan, saved: StreamOptions) =>
    openPlanned(askingFor(run, { kind: 'parent', stream: parent.name }), parent, {
      ...saved,
      judge: options.judge,
      claimedEnd: options.claimedEnd,
      isShared: true,
    })
  const parents = openParents(openParent, state, slicing.routers, options.judge)
  const cursor = openCursor(slicing, {
    config,
    now,
    readAt: options.readAt,
    state,
    cursorField: options.cursorField,
    report: warn,
    parentState: keepsParents(slicing) ? (isWhole) => parents.states(isWhole) : undefined,
  })
  const instances = await instantiateAll(selectorClasses(plan.selector), run)
  await loadSnakeCase(plan.selector.transformations)
  const onMisfit = misfitReporter(run.report)
  const schema = once((signal) => schemaOf(run, plan, signal))
  const retriever = plan.retriever && {
    plan: plan.retriever,
    reader: await instantiate(plan.retriever, Retriever, run),
  }
  const stream: OpenStream = {
    ...openRequester(run, plan.requester, { isShared: options.isShared, expected: expectedList(plan, config) }),
    plan,
    config,
    strategy,
    job: plan.job === null ? null : await openJob(run, plan.job, plan.name),
    retriever,
    decoder: await openDecoder(run, plan.decoder),
    redactor,
    now,
    sleep: run.clock.sleep,
    warn,
    // Jobs take long and send few requests: as many slices wait as the source allows jobs.
    width: plan.job === null ? run.concurrency : Math.max(run.concurrency, run.jobs.limit),
    requestsAtOnce: run.requestsAtOnce,
    cursor,
    isFirstRead: state === undefined,
    claimedEnd: options.claimedEnd ?? null,
    judgedParents: parents.judgedParents,
    properties:
      properties &&
      openProperties(run, properties, {
        read: (signal) => readerIn(run, signal, options.judge),
        schema: async (signal) => options.chosenSchema ?? schema(signal),
      }),
    async recordTools(signal) {
      const isFitted = plan.selector.normalization.kind !== 'none'
      const readLists = listReader(run, plan, signal, options.judge)
      return { instances, onMisfit, schema: isFitted ? await schema(signal) : null, readLists }
    },
    slices(reading) {
      const partitions = partitionsOf(slicing.routers, {
        config,
        warn,
        // Airbyte: a read that resumes from a state requests first pages too.
        takesFirstPages: state === undefined,
        readParent: (parent) => parents.read(parent, reading),
        pause: openPauses(reading.signal),
        routerOf: ({ custom }) => instantiate(custom, PartitionRouter, run),
      })
      const mayRepeat = slicing.cursor?.kind !== 'time' && slicing.routers.length > 0
      return redactErrorsOf(run, slicesOf(mayRepeat ? withoutRepeated(partitions, warn) : partitions, cursor))
    },
    requestInput: requestInputs({ plan, config, pageSize, trustedOrigins }),
  }
  if (retriever === null) return stream
  const slices = (reading: ParentOptions) => redactErrorsOf(run, customSlices(stream, retriever, reading))
  return { ...stream, slices }
}

/** Downloads of a job and requests of a custom class may return anything; so may what only a custom class decodes, or a zip archive. */
function expectedList({ job, retriever, decoder, selector }: StreamPlan, config: Config): ExpectedList | undefined {
  if (job !== null || retriever !== null) return undefined
  return listIn(decoder, recordPathOf(selector.extractor, config))
}

function listIn(decoder: DecoderPlan, path: ExpectedList['path']): ExpectedList | undefined {
  switch (decoder.kind) {
    case 'json':
      return { format: 'json', path }
    case 'xml':
      return { format: 'xml', path }
    case 'json-lines':
    case 'json-items':
    case 'csv':
      return { format: 'items', path: null }
    case 'gzip':
      return listIn(decoder.inner, path)
    default:
      return undefined
  }
}

/** The schema of a stream's records, requested where only the API knows it; null when none is declared. */
export function schemaOf(run: Run, owner: SchemaOwner, signal: AbortSignal): Promise<JsonSchema | null> {
  return redactErrors(run, () => unlessCancelled(loadSchema(run, owner, readerIn(run, signal)), signal))
}

/**
 * Airbyte: a retriever inside another component is read as if nothing cut it into slices. `judge`: a list that is read to its end must
 * not be known to lack members.
 */
function readerIn(run: Run, signal: AbortSignal, judge?: JudgeSlices): ReadRetriever {
  return async function* (retriever) {
    const component = { type: 'DeclarativeStream', name: 'dynamic_properties', retriever }
    const stream = await openStream(askingFor(run, { kind: 'lookup' }), component)
    const slice = { partition: {}, window: {} }
    const list = openWholeList(stream, judge)
    for await (const page of readPages(stream, slice, { signal, prefetch: 'off' })) {
      list.observe(slice, page)
      yield* page.records
    }
    const shortage = list.shortage()
    if (shortage === null) return
    throw new ConnectorError('records/list-incomplete', `The list of properties is incomplete: ${shortage}.`, {
      at: run.manifest.at(retriever),
    })
  }
}

/**
 * Reads the lists that a body has only in part, each from the beginning. Airbyte: what holds the part is `parent_record` of the slice.
 */
function listReader(run: Run, plan: StreamPlan, signal: AbortSignal, judge?: JudgeSlices): RecordTools['readLists'] {
  const { extractor } = plan.selector
  if (!readsLists(extractor)) return undefined
  const opened = new Map<Component, Promise<OpenStream>>()
  const open = (retriever: Component): Promise<OpenStream> => {
    const component = { type: 'DeclarativeStream', name: plan.name, retriever }
    const opening = opened.get(retriever) ?? openStream(askingFor(run, { kind: 'lookup' }), component)
    opened.set(retriever, opening)
    return opening
  }
  return async (body) => {
    const lists = new Map<unknown, { items: unknown[]; isShort: boolean }>()
    for (const { holder, retriever } of truncatedIn(extractor, body, run.config)) {
      const stream = await open(retriever)
      const slice = { partition: { parent_record: plainNumbers(holder) }, window: {} }
      const list = openWholeList(stream, judge)
      const items: unknown[] = []
      for await (const page of readPages(stream, slice, { signal, prefetch: 'off' })) {
        list.observe(slice, page)
        for (const record of page.records) items.push(record)
      }
      lists.set(holder, { items, isShort: list.shortage() !== null })
    }
    return lists
  }
}

/** Dynamic field names must not fill the log: no more fields than this are reported. */
const maxFields = 100

function misfitReporter(report: (notice: Notice) => void): (misfit: Misfit) => void {
  const reported = new Set<string>()
  return ({ field, wanted, value }) => {
    if (reported.has(field) || reported.size >= maxFields) return
    reported.add(field)
    const types = wanted.join(' or ')
    report({
      kind: 'warning',
      text: `\`${field}\` should be ${types}, but values of the type ${schemaTypeName(value)} cannot be converted: they stay as they are.`,
    })
  }
}

/** Where only the records are wanted they are read, with a warning. */
function refuseFiles(run: Run, { name, at }: StreamPlan, wantsFiles: boolean): void {
  const text = 'The files that its records name are not fetched: `file_uploader` cannot run yet.'
  if (!wantsFiles) return run.report({ kind: 'warning', text })
  throw new ConnectorError('manifest/unsupported-component', `Stream "${name}": ${text}`, {
    at,
    hint: 'Set `include_files` to false in the catalog: the records can be read.',
  })
}
