/** Syncs that run in the background, until the server stops: those of requests, and those of schedules. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from '../../connections/connection.ts'
import { loadInSteps } from '../../connector/load-manifest.ts'
import type { Destination } from '../../destinations/destination.ts'
import { destinationAt } from '../../destinations/open-destination.ts'
import type { Egress } from '../../engine/response/egress.ts'
import { openNetwork } from '../../engine/response/send.ts'
import { isCancelled } from '../../protocol/failure.ts'
import { redactorFor } from '../../protocol/secrets.ts'
import { ConnectorError } from '../../std/errors.ts'
import { heldStreams } from '../../sync/held-streams.ts'
import { publish } from '../../sync/publish.ts'
import { sync } from '../../sync/sync.ts'
import { openRunDestinations, type RunDestination, type RunDestinations } from '../destinations/run-destinations.ts'
import { problemOf } from '../responses.ts'
import { runHistory, type SeenRuns } from '../runs/history.ts'
import { type LatestRuns, openLatestRuns } from '../runs/latest.ts'
import type { ConnectorRuns } from '../wire/run.ts'
import type { HeldStream, Published, SyncRequest, SyncRun } from '../wire/sync.ts'
import type { SyncNews } from './log.ts'
import type { WrapNetwork } from '../wrap-network.ts'
import { openTracked, type TrackedSync } from './tracked.ts'

/** A saved connector: its manifest, and the folder with its classes. */
export type SavedManifest = { readonly text: string; readonly folder: string }

export type Syncs = {
  /** Throws for an invalid manifest, before anything is read. Into the embedded database, unless another destination is given. */
  readonly start: (
    request: SyncRequest,
    saved: SavedManifest,
    wrapNetwork?: WrapNetwork,
    target?: RunDestination,
  ) => Promise<SyncRun>
  /** Newest first. */
  readonly list: () => readonly SyncRun[]
  readonly follow: (id: string, signal: AbortSignal) => AsyncGenerator<SyncNews>
  /** Commits what was read; the next sync resumes from there. */
  readonly cancel: (id: string) => Promise<SyncRun>
  /** Runs of the connector in every destination that is known, with those that run now, newest first. */
  readonly history: (connector: string, limit: number) => Promise<ConnectorRuns>
  readonly latest: LatestRuns['list']
  /** Held rows of the connector, also from an earlier server. */
  readonly held: (connector: string) => Promise<readonly HeldStream[]>
  /** Replaces the table of a stream with the rows that are held. */
  readonly publish: (connector: string, stream: string, destination?: string) => Promise<Published>
  /** A connector got another name: what is known of its syncs follows. */
  readonly rename: (connector: string, to: string) => void
  /** Shows a run that a schedule starts; null where its connector is not one of this server. */
  readonly watch: (connection: Connection) => Promise<TrackedSync | null>
  readonly destinations: RunDestinations
  /** The embedded database; each connector has a schema, usually of its name. */
  readonly destination: Destination
  /** False before the first sync. */
  readonly hasTables: () => boolean
  [Symbol.asyncDispose](): Promise<void>
}

/** How many ended syncs are listed; the destinations have more: `turnleaf runs`. */
const mostRemembered = 50

export type SyncsOptions = {
  readonly home: string
  readonly egress: Egress
  /** Of a connection that names none; the embedded database when absent. */
  readonly defaultDestination?: () => string
}

export function openSyncs({ home, egress, defaultDestination }: SyncsOptions): Syncs {
  const file = join(home, 'turnleaf.duckdb')
  const destination = destinationAt(`duckdb:${file}`)
  const destinations = openRunDestinations({ home, egress, defaultDestination })
  const latest = openLatestRuns({ home, file, destination })
  const known = new Map<string, TrackedSync>()
  const seen: SeenRuns = new Map()

  function find(id: string): TrackedSync {
    const found = known.get(id)
    if (found === undefined) throw new ConnectorError('server/not-found', 'There is no such sync.')
    return found
  }

  const list = () => [...known.values()].map(({ run }) => run()).toReversed()

  function refuseSecond({ connector, id }: RunDestination): void {
    const isRunning = list().some(({ destination: where, status }) => where === id && status === 'running')
    if (isRunning) throw new ConnectorError('server/busy', `A sync of ${connector} is running.`)
  }

  function track(target: RunDestination, startedBy: SyncRun['startedBy']): TrackedSync {
    const tracked = openTracked(randomUUID(), target, startedBy, latest.note)
    known.set(tracked.run().id, tracked)
    const over = [...known.values()].filter(({ run }) => run().status !== 'running')
    for (const { run } of over.slice(0, Math.max(0, over.length - mostRemembered))) known.delete(run().id)
    return tracked
  }

  return {
    destination,
    destinations,
    hasTables: () => existsSync(file),
    latest: latest.list,
    history: (connector, limit) => runHistory({ connector, destinations, syncs: list(), limit, seen }),
    async held(connector) {
      const { destinations: all } = await destinations.of(connector)
      // One that does not respond is reported with the runs.
      const found = await Promise.all(all.map((target) => heldAt(target).catch(() => [])))
      return found.flat()
    },
    async publish(connector, stream, id) {
      const target = await destinations.find(connector, id)
      refuseSecond(target)
      const { run, before, after } = await publish(stream, { to: target.destination, connection: target.connection })
      return { stream, run, before, after }
    },
    async start(request, { text, folder }, wrapNetwork, target = destinations.embedded(request.connector)) {
      const { config = {}, streams, mode, isFresh = false, require, acceptDrop, ...reading } = request
      refuseSecond(target)
      const manifest = await loadInSteps(text, { folder, file: 'manifest.yaml' })
      // Another one may have been started in the meantime.
      refuseSecond(target)
      const network = wrapNetwork?.(openNetwork({ egress }))
      const tracked = track(target, 'request')
      const done = sync(manifest, {
        config,
        to: target.destination,
        connection: target.connection,
        ...(streams !== undefined && { streams }),
        ...(mode !== undefined && { mode }),
        isFresh,
        require,
        acceptDrop,
        prefetch: reading.prefetch,
        concurrency: reading.concurrency,
        streamsAtOnce: reading.streamsAtOnce,
        egress,
        ...(network !== undefined && { network }),
        signal: tracked.signal,
        onEvent: tracked.onEvent,
      }).then(
        ({ ending }) => ({ status: ending, problem: null }),
        (error: unknown) => {
          if (isCancelled(error) || tracked.signal.aborted) return { status: 'interrupted', problem: null } as const
          const redact = redactorFor(manifest, config)
          const { detail, ...rest } = problemOf(error)
          return { status: 'failed', problem: { ...rest, detail: redact(detail) } } as const
        },
      )
      tracked.until(
        done.finally(async () => {
          await network?.close()
        }),
      )
      return tracked.run()
    },
    async watch(connection) {
      const target = await destinations.ofConnection(connection)
      return target === null ? null : track(target, 'schedule')
    },
    rename(connector, to) {
      for (const tracked of known.values()) {
        if (tracked.run().connector === connector) tracked.rename(to)
      }
      latest.rename(connector, to)
    },
    list,
    follow: (id, signal) => find(id).follow(signal),
    async cancel(id) {
      const tracked = find(id)
      await tracked.stop()
      return tracked.run()
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...known.values()].map(({ stop }) => stop()))
    },
  }
}

async function heldAt({ destination, connection, schema, id, to, isEmbedded }: RunDestination): Promise<HeldStream[]> {
  const all = await heldStreams(destination)
  return all
    .filter((one) => one.connection === connection)
    .map(({ stream, run, reason, staged, existing, stagedAs }) => ({
      schema,
      stream,
      destination: id,
      to,
      isEmbedded,
      run,
      reason,
      staged,
      existing,
      stagedAs,
    }))
}
