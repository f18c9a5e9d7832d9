/** Where schedules and their last runs are kept; and the store of the embedded default, in TURNLEAF_HOME. */
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  connectionFile,
  connectionNames,
  connectionsFolder,
  findConnection,
  shownPath,
} from '../connections/find-connection.ts'
import { type FolderLock, lockFolder } from '../destinations/folder-lock.ts'
import { describeDiskError, errorCode } from '../std/disk/disk-error.ts'
import { replaceFile } from '../std/disk/durable.ts'
import { makeFolder } from '../std/disk/make-folder.ts'
import { ConnectorError } from '../std/errors.ts'
import type { ScheduleState, StoredSchedule } from './decide.ts'
import { parseState } from './parse-state.ts'

export type ScheduleStore = {
  /** A connection whose file has an error is left out, and reported. */
  readonly load: () => Promise<{
    readonly schedules: readonly StoredSchedule[]
    readonly problems: readonly BadSchedule[]
    /** Schedules that count as new, since their state cannot be read. */
    readonly notices: readonly BadSchedule[]
  }>
  /** Null where the connection does not exist, or has no schedule. */
  readonly find: (name: string) => Promise<StoredSchedule | null>
  readonly save: (name: string, state: ScheduleState) => Promise<void>
  /** The right to run them; throws `destinations/busy` while another process has it. */
  readonly lock: () => Promise<FolderLock>
  /** Throws `cli/file` where the folder of the connections, which a lock was in, is gone: its disk may be unmounted. */
  readonly checkFolder: () => Promise<void>
}

export type BadSchedule = { readonly name: string; readonly error: ConnectorError }

export function openScheduleStore(home: string): ScheduleStore {
  const folder = join(connectionsFolder(home), '.schedules')
  // Thousands of files are read again only when they change.
  const scheduleIn = rememberedByStamp(async (file) => (await findConnection(file, home)).schedule)
  const stateIn = rememberedByStamp(readState)

  async function look(name: string): Promise<(StoredSchedule & ReadState) | null> {
    const file = await connectionFile(name, home)
    const schedule = file === null ? null : await scheduleIn(file)
    return schedule === null ? null : { name, schedule, ...(await stateIn(stateFile(folder, name))) }
  }

  return {
    async find(name) {
      const found = await look(name)
      return found && { name, schedule: found.schedule, state: found.state }
    },
    async load() {
      const schedules: StoredSchedule[] = []
      const problems: BadSchedule[] = []
      const notices: BadSchedule[] = []
      for (const name of await connectionNames(home)) {
        try {
          const found = await look(name)
          if (found === null) continue
          const { schedule, state, unread } = found
          schedules.push({ name, schedule, state })
          if (unread !== null) notices.push({ name, error: unread })
        } catch (error) {
          if (!(error instanceof ConnectorError)) throw error
          problems.push({ name, error })
        }
      }
      return { schedules, problems, notices }
    },
    async save(name, state) {
      const file = stateFile(folder, name)
      const hint =
        'Free space, or make that file writable. Until then the schedule does not run; after that it runs by itself.'
      await writing(file, hint, async () => {
        await prepareFolder(folder)
        await replaceFile(file, Buffer.from(`${JSON.stringify(state)}\n`))
      })
    },
    async lock() {
      const hint = `Free space, or make that folder writable. ${untilThen}`
      return await writing(folder, hint, async () => {
        await prepareFolder(folder)
        // Two schedulers at a time do no harm: a run whose destination is in use ends as `busy`.
        return await lockFolder(join(folder, 'lock'), 'The scheduler of this home', { beatMs: 20_000 })
      })
    },
    async checkFolder() {
      const connections = connectionsFolder(home)
      const isGone = await stat(connections).then(
        () => false,
        (error: unknown) => errorCode(error) === 'ENOENT',
      )
      if (!isGone) return
      throw new ConnectorError('cli/file', `${shownPath(connections)} is gone, and the schedules with it.`, {
        hint: `Mount its disk again, or restore it from a backup. ${untilThen}`,
      })
    },
  }
}

const untilThen = 'Until then no schedule runs; after that they run by themselves.'

async function writing<T>(path: string, hint: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    const reason = error instanceof ConnectorError ? null : describeDiskError(error)
    if (reason === null) throw error
    throw new ConnectorError('cli/file', `${shownPath(path)} cannot be written: ${reason}.`, { cause: error, hint })
  }
}

/** Of a schedule that was removed: a new one starts anew. */
export async function forgetState(home: string, name: string): Promise<void> {
  await rm(stateFile(join(connectionsFolder(home), '.schedules'), name), { force: true })
}

/** `unread` is why a file that is there counts as none. */
type ReadState = { readonly state: ScheduleState | null; readonly unread: ConnectorError | null }

/** No state where none is stored, or where it cannot be read: then the schedule counts as new. */
async function readState(file: string): Promise<ReadState> {
  try {
    const state = parseState(await readFile(file, 'utf8'))
    return { state, unread: state === null ? unreadState(file, 'it is incomplete or damaged') : null }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { state: null, unread: null }
    const reason = describeDiskError(error)
    if (reason === null) throw error
    return { state: null, unread: unreadState(file, reason, error) }
  }
}

function unreadState(file: string, reason: string, cause?: unknown): ConnectorError {
  const message = `${shownPath(file)} cannot be read: ${reason}. The schedule counts as new.`
  return new ConnectorError('cli/file', message, { cause })
}

function stateFile(folder: string, name: string): string {
  return join(folder, `${name}.json`)
}

async function prepareFolder(folder: string): Promise<void> {
  if ((await makeFolder(folder)) !== undefined) await writeFile(join(folder, '.gitignore'), '*\n')
}

/** What was made of a file, until the file changes. */
function rememberedByStamp<T>(read: (file: string) => Promise<T>): (file: string) => Promise<T> {
  const known = new Map<string, { readonly stamp: string; readonly value: T }>()
  return async (file) => {
    const found = await stat(file).catch(() => null)
    const stamp = found === null ? '' : `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`
    const before = known.get(file)
    if (before?.stamp === stamp) return before.value
    const value = await read(file)
    known.set(file, { stamp, value })
    return value
  }
}
