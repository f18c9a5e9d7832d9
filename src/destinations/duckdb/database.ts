/** A DuckDB file, opened once per process however many connections use it. */
import { randomUUID } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import type { DuckDBInstance } from '@duckdb/node-api'
import { isThere } from '../../std/disk/is-there.ts'
import { ConnectorError } from '../../std/errors.ts'
import { busy, duckdbFailure } from './failures.ts'
import { type DuckSession, literal, openDuckSession, type RowShape } from './session.ts'
import { rowsPerVector } from './write-vector.ts'
import { loadDuckDb } from './load.ts'
import { messageOf } from '../../std/text/message-of.ts'
import { makeFolder } from '../../std/disk/make-folder.ts'

export type Database = {
  /** A new session, with its own transactions. */
  connect(): Promise<DuckSession>
  /** Runs one at a time: two transactions that change the catalog would make each other fail. */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>
  /** Releases the claim; the last one closes the file. */
  release(): Promise<void>
}

type Opened = {
  readonly instance: DuckDBInstance
  readonly claims: Set<string>
  last: Promise<unknown>
  /** The most so far. */
  needs: Required<RowShape> & { readonly mebibytes: number }
  /** The memory that DuckDB was last allowed, in MiB. */
  limit: number | null
}

/**
 * DuckDB's lock excludes other processes, but not this one: the same file opened twice here would be written by two
 * instances that do not know of each other, and the first to close would release the lock of both.
 */
const openFiles = new Map<string, Promise<Opened>>()

/** @param claim identifies the caller: a claim that is already held is refused. */
export async function openDatabase(
  file: string,
  address: string,
  claim: string,
  { isConfined = false }: { isConfined?: boolean } = {},
): Promise<Database> {
  const path = await preparePath(file, address)
  const earlier = openFiles.get(path)
  const opening = earlier ?? endReaders(path).then(() => openForWriting(path, isConfined))
  if (earlier === undefined) openFiles.set(path, opening)
  const opened = await opening.catch((error: unknown) => {
    if (openFiles.get(path) === opening) openFiles.delete(path)
    throw duckdbFailure(error, address)
  })
  if (opened.claims.has(claim)) throw busy(address, 'another sync in this process')
  opened.claims.add(claim)
  return {
    connect: () => openWritingSession(opened),
    exclusively: (work) => inTurn(opened, work),
    release: () => release(path, opened, claim),
  }
}

async function release(path: string, opened: Opened, claim: string): Promise<void> {
  // Hold the claim until then: a caller that opens the file before that finds it open.
  if (opened.claims.has(claim) && opened.claims.size === 1) await inTurn(opened, () => checkpoint(opened.instance))
  if (!opened.claims.delete(claim) || opened.claims.size > 0) return
  openFiles.delete(path)
  opened.instance.closeSync()
}

function inTurn<Result>(opened: Opened, work: () => Promise<Result>): Promise<Result> {
  const done = opened.last.then(work, work)
  opened.last = done.catch(() => {})
  return done
}

/** Runs between commits, when the file is consistent; null where no sync of this process has it open. */
export async function betweenCommits<Result>(path: string, work: () => Promise<Result>): Promise<Result | null> {
  const opened = await openFiles.get(path)?.catch(() => undefined)
  if (opened === undefined) return null
  return inTurn(opened, async () => (openFiles.has(path) ? work() : null))
}

type Reader = { readonly end: () => void; readonly ended: Promise<void> }

/** Who reads a file: their lock would block a sync, or be released with theirs. */
const readers = new Map<string, Set<Reader>>()

/**
 * Runs until a sync of this process needs the file: then the signal ends the work, the sync waits for it,
 * and the result is null.
 */
export async function whileNotWritten<Result>(
  path: string,
  work: (taken: AbortSignal) => Promise<Result>,
): Promise<Result | null> {
  if (openFiles.has(path)) return null
  const taken = new AbortController()
  let markEnded = () => {}
  const ended = new Promise<void>((done) => {
    markEnded = done
  })
  const reader: Reader = { end: () => taken.abort(), ended }
  const here = readers.get(path) ?? new Set()
  readers.set(path, here.add(reader))
  try {
    return await work(taken.signal)
  } catch (error) {
    if (taken.signal.aborted) return null
    throw error
  } finally {
    here.delete(reader)
    if (here.size === 0) readers.delete(path)
    markEnded()
  }
}

async function endReaders(path: string): Promise<void> {
  const here = [...(readers.get(path) ?? [])]
  for (const { end } of here) end()
  await Promise.all(here.map(({ ended }) => ended))
}

/** Closing does this too, but blocks the process. If it fails, nothing is lost: the log has everything. */
async function checkpoint(instance: DuckDBInstance): Promise<void> {
  try {
    const session = await openDuckSession(instance)
    try {
      await session.run('CHECKPOINT')
    } finally {
      session.close()
    }
  } catch {
    // A full disk or a damaged file: the next commit or open reports it.
  }
}

/**
 * Reads a file: a sync of this process that needs it waits until it is closed, and one that has it open shares it.
 * Null where there is no file.
 */
export async function lookInto<Result>(
  file: string,
  address: string,
  look: (session: DuckSession) => Promise<Result>,
): Promise<Result | null> {
  const path = await realpath(file).catch(() => null)
  if (path === null) return null
  try {
    for (;;) {
      const found = (await lookAlone(path, look)) ?? (await lookWithSync(path, look))
      if (found !== null) return found.result
    }
  } catch (error) {
    throw duckdbFailure(error, address)
  }
}

/** Opens the file itself, and never waits for a sync that opens it: that sync waits for this look. */
function lookAlone<Result>(path: string, look: (session: DuckSession) => Promise<Result>) {
  return whileNotWritten(path, async () => {
    const { instance } = await openFile(path, looking())
    try {
      return { result: await lookWith(instance, look) }
    } finally {
      instance.closeSync()
    }
  })
}

/** Holds a claim: the file stays open until this look has ended, also where the sync ends first. */
async function lookWithSync<Result>(path: string, look: (session: DuckSession) => Promise<Result>) {
  const opening = openFiles.get(path)
  const opened = await opening?.catch(() => undefined)
  // It may have been closed in the meantime.
  if (opened === undefined || openFiles.get(path) !== opening) return null
  const claim = randomUUID()
  opened.claims.add(claim)
  try {
    return { result: await lookWith(opened.instance, look) }
  } finally {
    await release(path, opened, claim)
  }
}

async function lookWith<Result>(instance: DuckDBInstance, look: (session: DuckSession) => Promise<Result>) {
  const session = await openDuckSession(instance)
  try {
    return await look(session)
  } finally {
    session.close()
  }
}

async function openFile(path: string, options: Record<string, string>): Promise<Opened> {
  const { DuckDBInstance } = await loadDuckDb()
  const instance = await DuckDBInstance.create(path, { ...options })
  return {
    instance,
    claims: new Set(),
    last: Promise.resolve(),
    needs: { columns: 0, rowBytes: 0, keys: 0, mebibytes: 64 },
    limit: null,
  }
}

/** After a kill, the log has rows of any size: they are replayed and written with all the memory that DuckDB wants. */
async function openForWriting(path: string, isConfined: boolean): Promise<Opened> {
  const hasLog = await isThere(`${path}.wal`)
  const opened = await openFile(path, { ...writing, ...(isConfined && confined) })
  if (hasLog) await checkpoint(opened.instance)
  await limitMemory(opened)
  return opened
}

async function openWritingSession(opened: Opened): Promise<DuckSession> {
  const session = await openDuckSession(opened.instance)
  return {
    ...session,
    rowBytes: () => opened.needs.rowBytes,
    async provideFor({ columns, rowBytes = 0, keys = 0 }) {
      const { needs } = opened
      // By steps, since the rows of each commit differ a little.
      if (columns <= needs.columns && rowBytes <= needs.rowBytes * 1.1 && keys <= needs.keys) return
      opened.needs = {
        columns: Math.max(columns, needs.columns),
        rowBytes: Math.max(rowBytes, needs.rowBytes),
        keys: Math.max(keys, needs.keys),
        mebibytes: needs.mebibytes,
      }
      await limitMemory(opened)
    },
    async provideMore() {
      const now = memoryFor(opened.needs)
      if (now >= mostMemory()) return false
      opened.needs = { ...opened.needs, mebibytes: now * 2 }
      await limitMemory(opened)
      return true
    },
    async withAllMemory(work) {
      await limitMemory(opened, mostMemory())
      try {
        return await work()
      } finally {
        await limitMemory(opened)
      }
    },
  }
}

/**
 * In a session of its own: where so much is in use already that it cannot be less, the limit stays as it is, and the failure
 * would end a transaction.
 */
async function limitMemory(opened: Opened, mebibytes = memoryFor(opened.needs)): Promise<void> {
  const limit = Math.ceil(mebibytes)
  if (limit === opened.limit) return
  const session = await openDuckSession(opened.instance)
  try {
    opened.limit = null
    await session.run(`SET GLOBAL memory_limit = ${literal(`${limit}MiB`)}`)
    opened.limit = limit
  } catch {
    // It is tried again with the next change.
  } finally {
    session.close()
  }
}

/**
 * By default DuckDB uses up to 80 % of the memory, and fills whatever it may. A commit needs little, and joins spill to disk.
 * But a checkpoint holds some blocks of 256 KiB for each column of a table, whatever reads rows holds the texts of 2,048 of them
 * several times, and a merge holds a note for every row that it deletes; all of them fail where that does not fit.
 */
function memoryFor({ columns, rowBytes, keys, mebibytes }: Opened['needs']): number {
  const texts = (8 * rowsPerVector * rowBytes) / 2 ** 20
  // Where it is too little, the commit is repeated with more.
  const merged = (40 * keys) / 2 ** 20
  return Math.min(Math.max(mebibytes, texts, merged) + columns * 1.25, mostMemory())
}

/** In MiB: as much as DuckDB would use by itself, but the rest of the process needs some, too. */
function mostMemory(): number {
  const all = memoryOfMachine()
  return Math.max(all * 0.5, Math.min(all * 0.8, all - 512))
}

/** In MiB, or what this process may have of it. */
function memoryOfMachine(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.MAX_SAFE_INTEGER) / 2 ** 20
}

/**
 * Not more: with 256 MiB and a checkpoint every 64 MiB a sync took much more memory, and was no faster (see benchmarks/README.md).
 * A checkpoint rewrites the last, half full row group: with DuckDB's default of 16 MB of log, at every commit.
 */
const writing = {
  threads: '1',
  allocator_flush_threshold: '4MiB',
  checkpoint_threshold: '24MiB',
} as const

/** Queries cannot reach files or the network, and this cannot be changed while the file is open. DuckDB can still spill to disk. */
const confined = { enable_external_access: 'false' } as const

/** A query may read everything, and nothing writes at the same time: it may use more memory. */
function looking(): Record<string, string> {
  return {
    access_mode: 'READ_ONLY',
    memory_limit: `${Math.max(256, Math.floor(memoryOfMachine() / 4))}MiB`,
    threads: String(Math.min(4, availableParallelism())),
  }
}

/** The real path of the file; creates its folder. */
async function preparePath(file: string, address: string): Promise<string> {
  const path = resolve(file)
  try {
    await makeFolder(dirname(path))
    return await realpath(path).catch(async () => join(await realpath(dirname(path)), basename(path)))
  } catch (cause) {
    const said = messageOf(cause)
    throw new ConnectorError('destinations/write-refused', `The folder of ${address} cannot be created: ${said}`, {
      cause,
    })
  }
}
