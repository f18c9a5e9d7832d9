/** A SQL query → its rows, from a separate process that runs for this query only. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, copyFile, mkdtemp, readdir, realpath, rm, stat, statfs } from 'node:fs/promises'
import { tmpdir, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import type { QueryOptions, QueryResult } from '../destination.ts'
import { betweenCommits, whileNotWritten } from './database.ts'
import { doesNotExist } from './failures.ts'
import { ConnectorError } from '../../std/errors.ts'
import { parseJson, stringifyJson } from '../../std/json.ts'
import { programFile } from '../../std/program-file.ts'
import type { QueryJob, QueryLimits, QueryReply } from './query-process.ts'

/**
 * @param signal ends the process at once. A reason that is a timeout becomes `destinations/query-time`; any other is thrown.
 */
async function runProcess(job: QueryJob, signal: AbortSignal): Promise<QueryResult> {
  signal.throwIfAborted()
  const child = spawn(
    process.execPath,
    ['--max-old-space-size=512', programFile('destinations/duckdb/query-process')],
    {
      // Nothing of the server's environment, which may hold tokens and passwords.
      env: { ...(process.env.TZ !== undefined && { TZ: process.env.TZ }) },
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    },
  )
  const end = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', end)
  // A process that ended before it read its job: its exit reports it.
  child.stdin.on('error', () => {})
  child.stdin.write(`${stringifyJson(job)}\n`)
  try {
    const most = (job.limits.resultMebibytes + 1) * 2 ** 20
    const closed = once(child, 'close').then(
      ([exitCode, exitSignal]: (number | string | null)[]) => String(exitSignal ?? `code ${exitCode}`),
      (error: unknown) => String(error),
    )
    const text = await outputOf(child.stdout, most, end)
    const ending = await closed
    if (signal.aborted) throw endOf(signal)
    return answerIn(text, ending)
  } catch (error) {
    if (signal.aborted) throw endOf(signal)
    throw error
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}

/** The process refuses results that are too long. One that a query made write more, all the same, is ended. */
export async function outputOf(stdout: NodeJS.ReadableStream, most: number, end: () => void): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of stdout as AsyncIterable<Buffer>) {
    bytes += part.byteLength
    if (bytes > most) end()
    else parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function answerIn(text: string, ending: string): QueryResult {
  const reply = replyIn(text)
  if (reply === null) {
    throw new ConnectorError('destinations/query-died', `The process of the query ended without a result (${ending}).`)
  }
  if ('answer' in reply) return reply.answer
  const { code, message, hint } = reply.refusal
  throw new ConnectorError(code, message, { hint })
}

function replyIn(text: string): QueryReply | null {
  try {
    return parseJson(text).value as QueryReply
  } catch {
    return null
  }
}

function endOf({ reason }: AbortSignal): unknown {
  if (!(reason instanceof Error) || reason.name !== 'TimeoutError') return reason
  return new ConnectorError('destinations/query-time', 'The query took too long and was stopped.', { cause: reason })
}

export type QueryInProcessOptions = Pick<QueryOptions, 'signal'> & { readonly limits?: Partial<QueryLimits> }

export async function queryInProcess(
  given: string,
  address: string,
  sql: string,
  limit: number,
  { signal, limits = {} }: QueryInProcessOptions = {},
): Promise<QueryResult> {
  const database = await realpath(given).catch(() => null)
  if (database === null) throw doesNotExist(address)
  const spillFolder = await makeQueryFolder(database)
  const job = { address, spillFolder, sql, limit, limits: { ...usualLimits(), ...limits } }
  try {
    for (;;) {
      const until = signal ?? new AbortController().signal
      const copy = await betweenCommits(database, () => copyDatabase(database, spillFolder, address))
      if (copy !== null) return await runProcess({ ...job, file: copy }, until)
      const answer = await whileNotWritten(database, (taken) =>
        runProcess({ ...job, file: database }, AbortSignal.any([until, taken])),
      )
      if (answer !== null) return answer
    }
  } finally {
    await rm(spillFolder, { recursive: true, force: true })
  }
}

/** A quarter of the memory, at most one gibibyte: several queries and a sync share the machine. */
function usualLimits(): QueryLimits {
  const all = Math.min(totalmem(), process.constrainedMemory() || Number.MAX_SAFE_INTEGER) / 2 ** 20
  const databaseMebibytes = Math.floor(Math.min(1024, Math.max(256, all / 4)))
  return {
    databaseMebibytes,
    processMebibytes: databaseMebibytes + 512,
    spillMebibytes: 2048,
    resultMebibytes: 32,
  }
}

/** Copying more would keep the sync waiting too long. */
const mostBytes = 4 * 2 ** 30

/** Free space left for the sync: a full disk would make it fail. */
const leftBytes = 2 ** 30

/** On file systems that share blocks the copy takes no time. */
async function copyDatabase(file: string, folder: string, address: string): Promise<string> {
  const log = `${file}.wal`
  const sizes = await Promise.all([stat(file), stat(log).catch(() => null)])
  const bytes = sizes.reduce((sum, one) => sum + (one?.size ?? 0), 0)
  const { bavail, bsize } = await statfs(folder)
  if (bytes > mostBytes || bavail * bsize < bytes + leftBytes) {
    const reason = bytes > mostBytes ? 'it is too large to be copied' : 'there is no room for a copy of it'
    throw new ConnectorError('destinations/busy', `A sync is writing to ${address}, and ${reason}.`, {
      hint: 'Query it when the sync has ended.',
    })
  }
  const copy = join(folder, 'copy.duckdb')
  await copyFile(file, copy, constants.COPYFILE_FICLONE)
  if (sizes[1] !== null) await copyFile(log, `${copy}.wal`, constants.COPYFILE_FICLONE)
  return copy
}

const prefix = '.turnleaf-query-'

export async function makeQueryFolder(database: string): Promise<string> {
  const parent = dirname(database)
  await removeAbandoned(parent)
  const name = `${prefix}${process.pid}-`
  return mkdtemp(join(parent, name)).catch(() => mkdtemp(join(tmpdir(), name)))
}

/** Removes folders of servers that were killed during a query. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const [, pid] = new RegExp(`^\\${prefix}(\\d+)-`).exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(parent, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It runs, as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
