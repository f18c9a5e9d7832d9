/** A stream of many slices → parts that other processes read for the lead. */
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { type HeldClaim, leadClaim } from '../destinations/destination.ts'
import { concernsOneStream } from '../destinations/refused-data.ts'
import type { OpenStream } from '../engine/pages/stream.ts'
import type { Run } from '../engine/run/run.ts'
import { followsChanges } from '../engine/slices/parent-state.ts'
import type { Slice } from '../engine/slices/slice.ts'
import type { ChosenStream } from '../protocol/choose-streams.ts'
import { parseJson, stringifyJson } from '../std/json.ts'
import { checkpointKeys, checkpointText, fingerprint, type PartSlice, storedStates } from './checkpoints.ts'
import { defaultGate } from './gate.ts'
import type { SyncMode } from './mode-names.ts'
import { isIncremental, requestedMode } from './modes.ts'
import { openTableSync } from './open-table-sync.ts'
import { openSyncRun, type OpenSyncRun } from './runs.ts'
import { shareDestination, type SharedDestination } from './shared-destination.ts'
import { receiptBefore, type SyncOptions, withOpenSync } from './sync.ts'
import { openWriter } from './writer.ts'

export type PlanPartsOptions = SyncOptions & {
  readonly streams: readonly string[]
  /** How many slices a part has; 100 when absent. */
  readonly partSize?: number | undefined
  /** Called for each stream once its parts are committed: they can be read while the next stream is planned. */
  readonly onPlanned?: ((planned: PlannedParts) => Promise<void>) | undefined
}

export type PlannedParts = {
  readonly stream: string
  /** Parts are read under this claim: when the lead is opened again, they are over. */
  readonly lead: HeldClaim
  /** They are numbered from 1. */
  readonly parts: number
  /** Slices in these parts; the lead reads all others. */
  readonly slices: number
  /** Why there are no parts; null where there are. */
  readonly reason: string | null
  /** Whether this plan began the run, or one before it did. */
  readonly isNewRun: boolean
}

/**
 * Begins the read of each stream as a sync would, and commits which slices belong to which part. `readPart` reads them, in
 * any process, any number of times. A `sync` with the lead's claim then reads what is left and publishes; for a fresh start,
 * with the same name of it (`freshStart`). All streams are planned under one claim: taking it anew would end the parts of those before.
 *
 * @example const [{ parts, lead }] = await planParts(manifest, { config, to, streams: ['orders'] })
 */
export async function planParts(manifest: LoadedManifest, options: PlanPartsOptions): Promise<readonly PlannedParts[]> {
  return withOpenSync(manifest, { ...options, claim: leadClaim }, async ({ run, chosen, opened }) => {
    const { isFresh = false, freshStart, onPlanned = async () => {} } = options
    const shared = shareDestination(opened)
    const configMark = fingerprint(run.redactor.value(run.config))
    const manifestMark = fingerprint(run.manifest.streams)
    const { now, random } = run
    const syncRun = await openSyncRun(shared, { now, random, configMark, manifestMark, isFresh, freshStart })
    const states = await storedStates(shared, isFresh ? syncRun.name : null)
    const planning = { options, run: { ...run, states }, syncRun, shared, configMark, lead: opened.claim as HeldClaim }
    const planned: PlannedParts[] = []
    for (const stream of options.streams) {
      const one = await planStream(planning, stream, chosen)
      planned.push(one)
      await onPlanned(one)
    }
    return planned
  })
}

type Planning = {
  readonly options: PlanPartsOptions
  readonly run: Run
  readonly syncRun: OpenSyncRun
  readonly shared: SharedDestination
  readonly configMark: string
  readonly lead: HeldClaim
}

async function planStream(
  { options, run, syncRun, shared, configMark, lead }: Planning,
  stream: string,
  all: readonly ChosenStream[],
): Promise<PlannedParts> {
  const { isFresh = false, onEvent = () => {} } = options
  const isNewRun = !syncRun.continues
  const none = (reason: string): PlannedParts => ({ stream, lead, parts: 0, slices: 0, reason, isNewRun })
  const chosen = all.find(({ name }) => name === stream)
  if (chosen === undefined) return none('it is not in the catalog')
  const requested = requestedMode(options.mode, stream)
  if (receiptBefore(syncRun, chosen, requested) !== undefined) return none('it was read before')
  const writer = openWriter(shared, run.now, () => {})
  const begun = await openTableSync(
    {
      chosen,
      requested,
      run,
      runName: syncRun.name,
      destination: shared,
      configMark,
      isFresh,
      gate: defaultGate,
      isShared: false,
      reading: { signal: options.signal, prefetch: options.prefetch },
      emit: onEvent,
      runCheckpoint: (ended) => syncRun.checkpointWith(ended),
    },
    writer,
  ).catch((error: unknown) => {
    // The lead will report it.
    if (concernsOneStream(error)) return null
    throw error
  })
  if (begun === null) return none('its table cannot be written')
  const { open, mode, slices } = begun
  const reason = whyWhole(open, mode)
  if (reason !== null) return none(reason)
  const left: PartSlice[] = []
  for await (const slice of open.slices({ prefetch: options.prefetch, signal: options.signal })) {
    if (slices.choose(slice) !== 'skip' && isStorable(slice, open))
      left.push({ text: slices.of(slice).checkpoint.slice, slice })
  }
  const parts = inParts(left, options.partSize ?? 100)
  // The parts of an earlier plan: the slices of those that were not read are in the new ones.
  writer.forget(checkpointKeys.parts(stream))
  for (const [index, members] of parts.entries()) {
    const text = checkpointText({ run: syncRun.name, slices: members })
    writer.checkpoint({ key: checkpointKeys.part(stream, index + 1), text: () => text })
  }
  await writer.flush()
  return parts.length === 0
    ? none('no slice is left to read')
    : { stream, lead, parts: parts.length, slices: left.length, reason: null, isNewRun }
}

/** Why one process has to read all slices of a stream; null where several may. */
function whyWhole({ plan, retriever, job }: OpenStream, mode: SyncMode): string | null {
  if (retriever !== null) return 'a custom class reads its pages'
  if (job !== null) return 'the API prepares its records in jobs'
  if (plan.slicing.routers.length === 0 && plan.slicing.cursor === null) return 'it has one slice'
  // The lead reads the parents a second time: what changed meanwhile would not be in the slices of the parts.
  if (isIncremental(mode) && followsChanges(plan.slicing.routers)) return 'it follows the changes of a parent stream'
  return hasSingleUse(plan.requester.auth) ? 'its refresh token works once, so only one process can sign in' : null
}

/** An authenticator may contain others. */
function hasSingleUse(auth: unknown): boolean {
  if (typeof auth !== 'object' || auth === null) return false
  return Object.entries(auth).some(([name, value]) => (name === 'singleUse' && value !== null) || hasSingleUse(value))
}

/** A slice with a secret in it, or with values that JSON does not keep, is read by the lead. */
function isStorable(slice: Slice, { redactor }: OpenStream): boolean {
  const text = stringifyJson(slice)
  return stringifyJson(redactor.value(slice)) === text && stringifyJson(parseJson(text).value) === text
}

function inParts<T>(members: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(members.length / size) }, (_, index) =>
    members.slice(index * size, (index + 1) * size),
  )
}
