/** A sync of everything from a server that fails now and then, until every stream is whole. */
import { destinationAt, loadManifest, sync, type StreamReceipt, type SyncOptions } from 'turnleaf'
import { type Handler, serveApi } from '../helpers/serve-api.ts'
import { compareTables, type Difference, type Tables, withoutRuns } from './compare.ts'
import type { Fault } from './faults.ts'
import type { PlaceKind } from './places/place.ts'
import { manifestFor, modes, type StreamName, streamNames } from './streams.ts'
import { timeOfRound, worldOf } from './world.ts'

const world = worldOf(() => 1)

/** The tables of a sync without faults, to compare with. */
export async function landInPeace(kind: PlaceKind): Promise<Tables> {
  await using api = await serveApi(world)
  await using place = await kind.make()
  await syncUntilWhole(api.url, place.address, [])
  return withoutRuns(await place.read(streamNames))
}

export type FaultSurvival = {
  readonly syncs: readonly (readonly StreamReceipt[])[]
  /** Waits before a page was requested again. */
  readonly waitsMs: readonly number[]
  readonly difference: Difference
}

export async function landDespite(fault: Fault, kind: PlaceKind, expected: Tables): Promise<FaultSurvival> {
  const routes = Object.entries(world).map(([route, honest]): [string, Handler] => {
    const isHit = fault.paths === undefined || fault.paths.some((path) => route.endsWith(path))
    return [route, isHit ? fault.server(honest) : honest]
  })
  await using api = await serveApi(Object.fromEntries(routes))
  await using place = await kind.make()
  const waitsMs: number[] = []
  const syncs = await syncUntilWhole(api.url, place.address, waitsMs)
  const difference = compareTables(withoutRuns(await place.read(streamNames)), expected)
  return { syncs, waitsMs, difference }
}

/** Streams that failed resume; the others are not read again, or what is appended would be appended again. */
async function syncUntilWhole(url: string, to: string, waitsMs: number[]): Promise<StreamReceipt[][]> {
  const manifest = loadManifest(manifestFor(url))
  const sleep = async (ms: number) => void waitsMs.push(ms)
  const syncs: StreamReceipt[][] = []
  let streams: readonly StreamName[] = streamNames
  while (streams.length > 0 && syncs.length < 10) {
    const mode = Object.fromEntries(streams.map((name) => [name, modes[name]]))
    const { receipts } = await sync(manifest, { to: destinationAt(to), streams, mode, sleep, ...options })
    syncs.push([...receipts])
    const whole = new Set(receipts.filter(({ ending }) => ending === 'complete').map(({ stream }) => stream))
    streams = streams.filter((name) => !whole.has(name))
  }
  return syncs
}

/** No wait takes its time, and time limits are short. */
const options = {
  now: () => timeOfRound(1),
  limits: { headersMs: 1000, bodyMs: 1000, totalMs: 2500 },
} satisfies Partial<SyncOptions>
