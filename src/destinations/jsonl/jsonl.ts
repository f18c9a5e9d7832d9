/** The JSONL destination: a folder of files with one record per line. */
import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Destination, OpenDestination, QueryResult, StoredCheckpoint, TableRows } from '../destination.ts'
import { queryFiles, type TableSource } from '../duckdb/query.ts'
import { withFile } from '../file-operations.ts'
import { type FolderLock, lockFolder } from '../folder-lock.ts'
import { errorCode } from '../../std/disk/disk-error.ts'
import { committer } from './commit.ts'
import { type Ledger, openLedger, replay } from './ledger.ts'
import { type FilePart, fileSize } from './lines.ts'
import {
  jsonlAddress,
  connectionsIn,
  extension,
  ledgerName,
  type ConnectionPaths,
  pathsOf,
  stagedFolder,
  stagedTable,
} from './paths.ts'
import { endAppending, recover } from './recover.ts'
import { refuseTaken } from './tables.ts'
import { rowsOfLines } from './rows-of-lines.ts'
import { makeFolder } from '../../std/disk/make-folder.ts'

/**
 * `FOLDER/orders.jsonl`: each record as the API sent it, followed by the fields `_turnleaf_…`.
 *
 * @example await sync(manifest, { config, to: jsonlDestination('out') })
 */
export function jsonlDestination(folder: string): Required<Destination> {
  return {
    address: jsonlAddress(folder),
    canShare: false,
    open: async (connection) => await openFolder(folder, connection),
    inspect: async (prefix) => await inspectLedgers(folder, prefix),
    query: (sql, limit) => queryLines(folder, sql, limit),
  }
}

async function openFolder(folder: string, connection: string): Promise<OpenDestination> {
  const paths = pathsOf(folder, connection)
  const lock = await withFile(paths.own, () => lockFolder(paths.own, paths.address))
  try {
    await withFile(paths.staged, async () => await makeFolder(paths.staged))
    const ledger = await openLedger(paths.ledger, connection)
    try {
      await recover(ledger, paths)
    } catch (error) {
      await ledger.close()
      throw error
    }
    return openConnection(paths, ledger, lock)
  } catch (error) {
    await lock.release()
    throw error
  }
}

function openConnection(paths: ConnectionPaths, ledger: Ledger, lock: FolderLock): OpenDestination {
  return {
    notes: async (prefix) => new Map([...ledger.state.notes].filter(([key]) => key.startsWith(prefix))),
    commit: committer(paths, ledger),
    count: ({ name }) => countLines(paths, ledger, name),
    isGone: (stream) => isGone(paths, ledger, stream),
    isStagedGone: (stream) => isStagedGone(paths, ledger, stream),
    check: ({ name }) => refuseTaken(name, { paths, ledger }),
    async close() {
      // If it fails, the next process recovers as after a kill.
      await endAppending(ledger).catch(() => undefined)
      await ledger.close()
      await lock.release()
    },
  }
}

async function isGone({ folder }: ConnectionPaths, { state }: Ledger, stream: string): Promise<boolean> {
  const files = state.tables.get(stream)
  if (files === undefined || files.live === null) return false
  return await isMissing(join(folder, files.file))
}

async function isStagedGone({ staged }: ConnectionPaths, { state }: Ledger, stream: string): Promise<boolean> {
  const part = state.tables.get(stream)?.staged ?? null
  if (part === null) return false
  const path = join(staged, part.file)
  // A file that was cut has lost rows as well.
  return await withFile(path, async () => ((await fileSize(path)) ?? -1) < part.length)
}

function isMissing(path: string): Promise<boolean> {
  return withFile(path, async () => (await fileSize(path)) === null)
}

async function countLines(paths: ConnectionPaths, { state }: Ledger, stream: string): Promise<TableRows> {
  const files = state.tables.get(stream)
  const { live = null, staged = null } = files ?? {}
  if (files === undefined) return { published: 0, staged: 0, stagedAs: null }
  const lines = staged === null ? 0 : await linesIn({ path: join(paths.staged, staged.file), length: staged.length })
  return {
    published: live === null ? 0 : await linesIn({ path: join(paths.folder, files.file), length: live.length }),
    staged: lines,
    // A query cannot infer columns from a file without lines.
    stagedAs: lines === 0 ? null : stagedTable(files.file),
  }
}

/** Counts line breaks; nothing is parsed. A deleted file has none. */
async function linesIn({ path, length }: FilePart): Promise<number> {
  return await withFile(path, async () => {
    if (length === 0 || (await fileSize(path)) === null) return 0
    let lines = 0
    for await (const chunk of createReadStream(path, { end: length - 1 }) as AsyncIterable<Buffer>) {
      for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++
    }
    return lines
  })
}

/** A line that is being written does not count yet; a ledger is replaced by a rename, so it always exists. */
async function inspectLedgers(folder: string, prefix: string): Promise<readonly StoredCheckpoint[]> {
  const found: StoredCheckpoint[] = []
  const names = (await ifThere(readdir(connectionsIn(folder)))) ?? []
  for (const name of names.toSorted()) {
    const path = join(connectionsIn(folder), name, ledgerName)
    const bytes = await ifThere(readFile(path))
    if (bytes === null) continue
    const { connection, state } = replay(bytes, path)
    if (connection === null) continue
    for (const [key, text] of state.notes) if (key.startsWith(prefix)) found.push({ connection, key, text })
  }
  return found
}

async function ifThere<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null
    throw error
  }
}

async function queryLines(folder: string, sql: string, limit: number): Promise<QueryResult> {
  const files = (await readdir(folder).catch(() => [])).filter((file) => file.endsWith(extension))
  const tables = new Map(files.map((file) => [file.slice(0, -extension.length), linesOf(join(folder, file))]))
  // Only on request: files that a running sync writes to may end in the middle of a line.
  const staged = /_turnleaf_staged_/i.test(sql) ? await stagedIn(folder) : []
  return queryFiles(new Map([...tables, ...staged]), sql, limit)
}

function linesOf(path: string): TableSource {
  return (session) => rowsOfLines(session, path)
}

/** Staged rows of every connection; each table belongs to one. */
async function stagedIn(folder: string): Promise<(readonly [string, TableSource])[]> {
  const found: (readonly [string, TableSource])[] = []
  for (const name of await readdir(connectionsIn(folder)).catch(() => [])) {
    const own = join(connectionsIn(folder), name)
    const path = join(own, ledgerName)
    const bytes = await readFile(path).catch(() => null)
    if (bytes === null) continue
    for (const { file, staged } of replay(bytes, path).state.tables.values()) {
      if (staged !== null) found.push([stagedTable(file), linesOf(join(own, stagedFolder, staged.file))])
    }
  }
  return found
}
