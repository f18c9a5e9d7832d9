/** The runs of a connector in all of its destinations: also those that the CLI or a worker started. */
import { ConnectorError } from '../../std/errors.ts'
import { checkpointKeys, parseCheckpoint, type SliceCheckpoint, type StreamCheckpoint } from '../../sync/checkpoints.ts'
import { type PastRun, pastRuns } from '../../sync/past-runs.ts'
import { totalsOf } from '../../sync/receipt.ts'
import type { RunDestination, RunDestinations } from '../destinations/run-destinations.ts'
import { fileStamp } from './file-stamp.ts'
import type { ConnectorRun, ConnectorRuns } from '../wire/run.ts'
import type { SyncRun } from '../wire/sync.ts'

export type HistoryInput = {
  readonly connector: string
  readonly destinations: RunDestinations
  /** The syncs of this server. */
  readonly syncs: readonly (SyncRun & { readonly run: string | null })[]
  readonly limit: number
  readonly seen: SeenRuns
}

/** What was read of a file, by destination, until the file changes: a page asks every few seconds, and each look locks the file for others. */
export type SeenRuns = Map<string, { readonly stamp: string; readonly runs: readonly ConnectorRun[] }>

/** A database that does not respond must not keep the others waiting. */
const longestMs = 10_000

export async function runHistory({
  connector,
  destinations,
  syncs,
  limit,
  seen,
}: HistoryInput): Promise<ConnectorRuns> {
  const { destinations: known, lost } = await destinations.of(connector)
  const unreadable = lost.map(({ to, error }) => unreadableAt(to, error))
  const found = await Promise.all(
    known.map(async (target) => {
      try {
        return await inTime(remembered(target, seen), target.to)
      } catch (error) {
        if (!(error instanceof ConnectorError)) throw error
        unreadable.push(unreadableAt(target.to, error))
        return []
      }
    }),
  )
  const all = found.flat().toSorted((one, other) => (one.startedAt < other.startedAt ? 1 : -1))
  const runs = all.slice(0, limit).map((run) => withSync(run, syncs))
  const distinct = unreadable.filter(({ to }, index) => unreadable.findIndex((one) => one.to === to) === index)
  return { runs, total: all.length, unreadable: distinct }
}

async function remembered(target: RunDestination, seen: SeenRuns): Promise<readonly ConnectorRun[]> {
  const stamp = fileStamp(target.to)
  const before = seen.get(target.id)
  if (before !== undefined && before.stamp === stamp) return before.runs
  const runs = await runsAt(target)
  if (stamp !== null) seen.set(target.id, { stamp, runs })
  return runs
}

async function runsAt(target: RunDestination): Promise<ConnectorRun[]> {
  const { destination, connection } = target
  const runs = pastRuns((await destination.inspect?.(checkpointKeys.run(''))) ?? [], connection)
  const [latest] = runs
  const progress = latest?.status === 'unfinished' ? await progressOf(target, latest) : []
  return runs.map((run) => shownRun(target, run, run === latest ? progress : []))
}

/** What is committed of the streams that a run is reading. */
async function progressOf(
  { destination, connection }: RunDestination,
  { run }: PastRun,
): Promise<ConnectorRun['progress']> {
  const own = async (prefix: string) =>
    ((await destination.inspect?.(prefix)) ?? []).filter((one) => one.connection === connection)
  const prefix = checkpointKeys.stream('')
  const slices = await own('slice/')
  return (await own(prefix)).flatMap(({ key, text }) => {
    const { reading } = parseCheckpoint(text) as StreamCheckpoint
    if (reading?.runs.includes(run) !== true) return []
    const stream = decodeURIComponent(key.slice(prefix.length))
    const read = slices
      .filter((one) => one.key.startsWith(checkpointKeys.slices(stream)))
      .map((one) => ({ read: parseCheckpoint(one.text) as SliceCheckpoint }))
    const { pages, records } = totalsOf(read)
    return [{ stream, pages, records }]
  })
}

function shownRun(target: RunDestination, run: PastRun, progress: ConnectorRun['progress']): ConnectorRun {
  const { id: destination, to } = target
  const { startedAt, endedAt, attempts, status, connection, streams } = run
  return {
    run: run.run,
    connection,
    destination,
    to,
    sync: null,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
    attempts,
    status,
    streams: streams as unknown as ConnectorRun['streams'],
    progress,
  }
}

/** A run without an end is certainly running where this server runs it. */
function withSync(run: ConnectorRun, syncs: HistoryInput['syncs']): ConnectorRun {
  const own = syncs.find((one) => one.run === run.run && one.destination === run.destination)
  if (own === undefined) return run
  return { ...run, sync: own.id, ...(own.status === 'running' && { status: 'running' as const }) }
}

async function inTime<T>(work: Promise<T>, to: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new ConnectorError('destinations/unreachable', `${to} does not respond.`)
    timer = setTimeout(() => reject(error), longestMs)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function unreadableAt(to: string, { code, message }: ConnectorError): ConnectorRuns['unreadable'][number] {
  return { to, code, detail: message }
}
