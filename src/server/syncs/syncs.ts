/** Syncs into the embedded database that run in the background, until the server stops. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Egress } from '../../engine/response/egress.ts'
import { openNetwork } from '../../engine/response/send.ts'
import { destinationAt } from '../../destinations/open-destination.ts'
import type { Destination } from '../../destinations/destination.ts'
import { loadInSteps } from '../../connector/load-manifest.ts'
import { ConnectorError } from '../../std/errors.ts'
import { redactorFor } from '../../protocol/secrets.ts'
import { isCancelled } from '../../protocol/failure.ts'
import { checkpointKeys } from '../../sync/checkpoints.ts'
import { heldStreams } from '../../sync/held-streams.ts'
import { type PastRun, pastRuns } from '../../sync/past-runs.ts'
import { publish } from '../../sync/publish.ts'
import { sync } from '../../sync/sync.ts'
import { problemOf } from '../responses.ts'
import type { HeldStream, Published, SyncNews, SyncRequest, SyncRun } from '../wire/sync.ts'
import type { WrapNetwork } from '../wrap-network.ts'
import { openSyncLog, type SyncLog } from './log.ts'

/** A saved connector: its manifest, and the folder with its classes. */
export type SavedManifest = { readonly text: string; readonly folder: string }

export type Syncs = {
  /** Throws for an invalid manifest, before anything is read. */
  readonly start: (request: SyncRequest, saved: SavedManifest, wrapNetwork?: WrapNetwork) => Promise<SyncRun>
  /** Newest first. */
  readonly list: () => readonly SyncRun[]
  readonly follow: (id: string, signal: AbortSignal) => AsyncGenerator<SyncNews>
  /** Commits what was read; the next sync resumes from there. */
  readonly cancel: (id: string) => Promise<SyncRun>
  /** Past syncs of the connector, also of an earlier server, newest first. */
  readonly pastRuns: (connector: string) => Promise<readonly PastRun[]>
  /** Held rows of the connector, also from an earlier server. */
  readonly held: (connector: string) => Promise<readonly HeldStream[]>
  /** Replaces the table of a stream with the rows that are held. */
  readonly publish: (connector: string, stream: string) => Promise<Published>
  /** The database; each connector has a schema of its name. */
  readonly destination: Destination
  /** False before the first sync. */
  readonly hasTables: () => boolean
  [Symbol.asyncDispose](): Promise<void>
}

type Running = {
  run: SyncRun
  readonly log: SyncLog
  readonly stop: AbortController
  readonly done: Promise<void>
}

/** How many ended syncs are listed; the database has more: `turnleaf runs`. */
const mostRemembered = 50

export function openSyncs({ home, egress }: { home: string; egress: Egress }): Syncs {
  const file = join(home, 'turnleaf.duckdb')
  const address = `duckdb:${file}`
  const destination = destinationAt(address)
  const known = new Map<string, Running>()

  function find(id: string): Running {
    const found = known.get(id)
    if (found === undefined) throw new ConnectorError('server/not-found', 'There is no such sync.')
    return found
  }

  function refuseSecond(connector: string): void {
    const isRunning = [...known.values()].some(({ run }) => run.connector === connector && run.status === 'running')
    if (isRunning) throw new ConnectorError('server/busy', `A sync of ${connector} is running.`)
  }

  function forgetOldest(): void {
    const over = [...known.values()].filter(({ run }) => run.status !== 'running')
    for (const { run } of over.slice(0, Math.max(0, over.length - mostRemembered))) known.delete(run.id)
  }

  return {
    destination,
    hasTables: () => existsSync(file),
    async pastRuns(connector) {
      if (!existsSync(file)) return []
      const notes = await destinationAt(address, { schema: connector }).inspect?.(checkpointKeys.run(''))
      return pastRuns(notes ?? [], connector)
    },
    async held(connector) {
      const all = await heldStreams(destinationAt(address, { schema: connector }))
      return all
        .filter(({ connection }) => connection === connector)
        .map(({ stream, run, reason, staged, existing, stagedAs }) => ({
          stream,
          run,
          reason,
          staged,
          existing,
          stagedAs,
        }))
    },
    async publish(connector, stream) {
      refuseSecond(connector)
      const to = destinationAt(address, { schema: connector })
      const { run, before, after } = await publish(stream, { to, connection: connector })
      return { stream, run, before, after }
    },
    async start(request, { text, folder }, wrapNetwork) {
      const { connector, config = {}, streams, isFresh = false, require, acceptDrop, ...reading } = request
      refuseSecond(connector)
      const manifest = await loadInSteps(text, { folder, file: 'manifest.yaml' })
      // Another one may have been started in the meantime.
      refuseSecond(connector)
      const log = openSyncLog()
      const stop = new AbortController()
      const id = randomUUID()
      const startedAt = new Date().toISOString()
      const change = (changed: Partial<SyncRun>) => {
        running.run = { ...running.run, ...changed }
      }
      const network = wrapNetwork?.(openNetwork({ egress }))
      const done = sync(manifest, {
        config,
        // Streams of two connectors may have the same name, so each connector has its own schema.
        to: destinationAt(address, { schema: connector }),
        connection: connector,
        ...(streams !== undefined && { streams }),
        isFresh,
        require,
        acceptDrop,
        prefetch: reading.prefetch,
        concurrency: reading.concurrency,
        streamsAtOnce: reading.streamsAtOnce,
        egress,
        ...(network !== undefined && { network }),
        signal: stop.signal,
        onEvent: log.add,
      })
        .then(
          ({ ending }) => change({ status: ending }),
          (error: unknown) => {
            if (isCancelled(error) || stop.signal.aborted) return change({ status: 'interrupted' })
            const redact = redactorFor(manifest, config)
            const { detail, ...rest } = problemOf(error)
            change({ status: 'failed', problem: { ...rest, detail: redact(detail) } })
          },
        )
        .finally(async () => {
          await network?.close()
          log.end()
        })
      const running: Running = {
        run: { id, connector, to: destination.address, startedAt, status: 'running', problem: null },
        log,
        stop,
        done,
      }
      known.set(id, running)
      forgetOldest()
      return running.run
    },
    list: () => [...known.values()].map(({ run }) => run).toReversed(),
    follow: (id, signal) => find(id).log.follow(signal),
    async cancel(id) {
      const running = find(id)
      running.stop.abort()
      await running.done
      return running.run
    },
    async [Symbol.asyncDispose]() {
      for (const { stop } of known.values()) stop.abort()
      await Promise.all([...known.values()].map(({ done }) => done))
    },
  }
}
