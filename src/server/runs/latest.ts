/** The latest run of each connector, for a list: one look into the embedded database, and only after it has changed. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Destination } from '../../destinations/destination.ts'
import { listConnections } from '../../connections/find-connection.ts'
import { worstVerdict } from '../../proof/verdict/verdict-name.ts'
import { type PastRun, pastRuns } from '../../sync/past-runs.ts'
import { tableSchemaOf } from '../connectors/table-schema.ts'
import { connectorInHome } from '../destinations/run-destinations.ts'
import { openStateFile } from '../state-file.ts'
import { fileStamp } from './file-stamp.ts'
import { latestRun, type LatestRun } from '../wire/run.ts'

export type LatestRuns = {
  readonly list: () => Promise<LatestRun[]>
  /** A run of this server: it may write where nothing is looked up later. */
  readonly note: (run: LatestRun) => void
  /** The connector got another name. */
  readonly rename: (connector: string, to: string) => void
}

export type LatestOptions = {
  readonly home: string
  /** The file of the embedded database, and its address. */
  readonly file: string
  readonly destination: Destination
}

/** While a sync writes, the file changes all the time. */
const restMs = 1000

export function openLatestRuns({ home, file, destination }: LatestOptions): LatestRuns {
  const stored = openStateFile(home, 'latest-runs.json')
  const running = new Map<string, LatestRun>()
  let seen: { readonly stamp: string | null; readonly at: number; readonly runs: readonly PastRun[] } | null = null

  async function inDatabase(): Promise<readonly PastRun[]> {
    if (!existsSync(file)) return []
    const stamp = fileStamp(destination.address)
    if (seen !== null && (seen.stamp === stamp || Date.now() - seen.at < restMs)) return seen.runs
    const runs = await latestIn(destination).catch(() => null)
    // Another process may have the file open: then what was seen last is shown, and the next look tries again.
    if (runs === null) return seen?.runs ?? []
    seen = { stamp, at: Date.now(), runs }
    return runs
  }

  return {
    note(run) {
      // A connector may be synced into several destinations at once.
      const key = JSON.stringify([run.connector, run.to, run.startedAt])
      if (run.endedAt === null) return void running.set(key, run)
      running.delete(key)
      stored.write({ ...stored.read(), [run.connector]: run })
    },
    rename(connector, to) {
      const { [connector]: moved, ...others } = stored.read()
      const { data } = latestRun.safeParse(moved)
      if (data !== undefined) stored.write({ ...others, [to]: { ...data, connector: to } })
    },
    async list() {
      const connectors = await connectorsByConnection(home)
      const found = (await inDatabase()).map((run) => {
        const connector = connectors.get(run.connection) ?? run.connection
        return summary(connector, destination.address, run)
      })
      const noted = Object.values(stored.read()).flatMap((one) => latestRun.safeParse(one).data ?? [])
      return newestOfEach([...running.values(), ...noted, ...found])
    },
  }
}

function summary(connector: string, to: string, run: PastRun): LatestRun {
  const { startedAt, endedAt, status, streams } = run
  return {
    connector,
    to,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
    status,
    verdict: worstVerdict(streams),
    records: streams.reduce((sum, { records }) => sum + records, 0),
  }
}

/** What runs now is newer than what a database says of it; one that was stopped here is not over for the database. */
function newestOfEach(runs: readonly LatestRun[]): LatestRun[] {
  const newest = new Map<string, LatestRun>()
  for (const run of runs) {
    const known = newest.get(run.connector)
    const isKnown = run.status === 'unfinished' && known?.to === run.to && (known.endedAt ?? '') >= run.startedAt
    if (isKnown) continue
    if (known === undefined || (known.status !== 'running' && run.startedAt > known.startedAt)) {
      newest.set(run.connector, run)
    }
  }
  return [...newest.values()]
}

/** Connections may have other names than their connectors. */
async function connectorsByConnection(home: string): Promise<ReadonlyMap<string, string>> {
  const all = await listConnections(home)
  return new Map([
    ...connectorsBySchema(home),
    ...all.flatMap((one) => {
      const connector = 'connection' in one ? connectorInHome(one.connection, home) : null
      return connector === null ? [] : [[one.name, connector] as const]
    }),
  ])
}

/** Runs of a connector that got another name are stored under the first one. */
function connectorsBySchema(home: string): [schema: string, connector: string][] {
  const folder = join(home, 'connectors')
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names.filter((name) => !name.startsWith('.')).map((name) => [tableSchemaOf(home, name), name])
}

/** Each connector has its own schema, and what the CLI writes is in `main`. */
async function latestIn(destination: Destination): Promise<readonly PastRun[]> {
  const look = async (sql: string) =>
    (await destination.query?.(sql, mostSchemas, { isOwn: true, isConfined: true }))?.rows ?? []
  const schemas = await look(`select schema_name from duckdb_tables() where table_name = '_turnleaf_notes'`)
  if (schemas.length === 0) return []
  const each = schemas.map(([name]) => {
    const table = `"${String(name).replaceAll('"', '""')}"._turnleaf_notes`
    // Names of runs begin with their time.
    return `select connection, arg_max(text, key) from ${table} where starts_with(key, 'run/') group by connection`
  })
  const rows = await look(each.join('\nunion all\n'))
  return rows.flatMap(([connection, text]) =>
    pastRuns([{ connection: String(connection), key: '', text: String(text) }]),
  )
}

const mostSchemas = 2000
