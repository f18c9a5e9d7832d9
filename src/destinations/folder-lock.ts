/**
 * One process at a time: a lock that a killed process cannot keep.
 *
 * Locks are numbered: `lock-1`, `lock-2`, … The highest number counts. A lock is never taken over; it is followed by the
 * next one, which only one of several processes can create. When released, the highest stays as an empty file: if it were
 * removed, a slow process could create it again while another starts from 1.
 */
import { readdir, readFile, rm, stat, truncate, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { ConnectorError } from '../std/errors.ts'
import { createWhole } from './file-operations.ts'
import { heldBy } from './paused-holder.ts'
import { errorCode } from '../std/disk/disk-error.ts'
import { makeFolder } from '../std/disk/make-folder.ts'

export type FolderLock = { release(): Promise<void> }

type Holder = {
  readonly pid: number
  /** A PID is reused, but not by a process that started at the same moment; null where the system does not report it. */
  readonly processStart: string | null
  readonly host: string
  readonly since: string
  /** How often it touches the file. */
  readonly beatMs?: number
}

type LockOptions = {
  /**
   * The lock is renewed this often, and one of another host, such as a container that was replaced, counts as released once it
   * has not been renewed for six times as long. Only where two at a time do no harm: a paused process may wake up.
   */
  readonly beatMs?: number
}

const missedBeats = 6

/**
 * Locks the folder, created if missing; throws `destinations/busy` when another process, or this one, has locked it. Errors of
 * the disk are left to the caller, who knows what the lock is for.
 */
export async function lockFolder(folder: string, address: string, { beatMs }: LockOptions = {}): Promise<FolderLock> {
  await makeFolder(folder)
  const own: Holder = {
    pid: process.pid,
    processStart: await processStart(process.pid),
    host: hostname(),
    since: new Date().toISOString(),
    ...(beatMs !== undefined && { beatMs }),
  }
  for (;;) {
    const number = await highest(folder)
    const path = join(folder, lockName(number))
    if (number > 0) await refuseIfHeld(path, address)
    const next = number + 1
    if (!(await createWhole(join(folder, lockName(next)), JSON.stringify(own)))) continue
    // A listing made while other processes add and remove locks may miss the highest; this one cannot.
    if ((await highest(folder)) === next) return held(folder, next, beatMs)
    await rm(join(folder, lockName(next)), { force: true })
  }
}

async function held(folder: string, number: number, beatMs: number | undefined): Promise<FolderLock> {
  await removeOlder(folder, number)
  const path = join(folder, lockName(number))
  const touch = () => void utimes(path, new Date(), new Date()).catch(() => undefined)
  const beat = beatMs === undefined ? undefined : setInterval(touch, beatMs).unref()
  return {
    async release() {
      clearInterval(beat)
      // Truncating works on a full disk and is atomic. If it fails, the lock ends with the process.
      await truncate(path, 0).catch(() => undefined)
    },
  }
}

async function refuseIfHeld(path: string, address: string): Promise<void> {
  const holder = await readHolder(path)
  if (holder === null) return
  if (holder.host !== hostname()) {
    if (await hasStopped(path, holder)) return
    throw new ConnectorError(
      'destinations/busy',
      `${address} is in use by process ${holder.pid} on ${holder.host} since ${holder.since}.`,
      { hint: `Wait until that sync has ended. If it no longer runs, remove ${path}; then run again.` },
    )
  }
  if (!(await isAlive(holder))) return
  const who = holder.pid === process.pid ? `this process (${holder.pid})` : `process ${holder.pid}`
  throw heldBy(`${address} is in use by ${who} since ${holder.since}`, holder.pid)
}

async function hasStopped(path: string, { beatMs }: Holder): Promise<boolean> {
  if (beatMs === undefined) return false
  const touched = await stat(path).catch(() => null)
  return touched === null || Date.now() - touched.mtimeMs > missedBeats * beatMs
}

/** Null when the lock was released, or a crash left it empty. */
async function readHolder(path: string): Promise<Holder | null> {
  try {
    const stored = JSON.parse(await readFile(path, 'utf8')) as Partial<Holder>
    const { pid, host, since, processStart: start, beatMs } = stored
    if (pid === undefined || host === undefined || since === undefined) return null
    return { pid, host, since, processStart: start ?? null, ...(typeof beatMs === 'number' && { beatMs }) }
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return null
    throw error
  }
}

async function isAlive({ pid, processStart: start }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs, as another user.
    if (errorCode(error) === 'ESRCH') return false
  }
  const startNow = await processStart(pid)
  return start === null || startNow === null || start === startNow
}

/** When a process started, in ticks since the machine did: field 22 of proc_pid_stat(5). */
async function processStart(pid: number): Promise<string | null> {
  const fields = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The second field is the program's name in brackets, which may itself contain spaces and brackets.
  return fields.slice(fields.lastIndexOf(')') + 2).split(' ')[19] ?? null
}

async function highest(folder: string): Promise<number> {
  return Math.max(0, ...(await lockNumbers(folder)))
}

async function removeOlder(folder: string, number: number): Promise<void> {
  for (const older of await lockNumbers(folder)) {
    if (older < number) await rm(join(folder, lockName(older)), { force: true })
  }
}

async function lockNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder)
  return names.flatMap((name) => /^lock-(\d+)$/.exec(name)?.[1] ?? []).map(Number)
}

function lockName(number: number): string {
  return `lock-${number}`
}
