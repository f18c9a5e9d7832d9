/** Adds, changes and removes the schedule in the file of a connection; every other line of it stays. */
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Connection, parseConnection } from '../connections/connection.ts'
import { connectionsFolder, findConnection } from '../connections/find-connection.ts'
import { parseSchedule, type Schedule } from '../connections/schedule.ts'
import { removeIn, setIn } from '../document/edit.ts'
import { describeDiskError } from '../std/disk/disk-error.ts'
import { rewriteFile } from '../std/disk/durable.ts'
import { ConnectorError } from '../std/errors.ts'
import { currentState } from './decide.ts'
import { forgetState, openScheduleStore } from './store.ts'

/** A connection whose schedule can run. */
async function schedulable(given: string, home: string): Promise<Connection> {
  const connection = await findConnection(given, home)
  if (dirname(connection.folder) === resolve(connectionsFolder(home))) return connection
  throw new ConnectorError('schedules/outside', `${given} is not in TURNLEAF_HOME, so nothing would run its schedule.`)
}

/** Also replaces the schedule there is. Times count from now on. */
export async function setSchedule(given: string, schedule: Schedule, home: string, now: number): Promise<Connection> {
  const connection = await schedulable(given, home)
  parseSchedule(schedule)
  const changed = await write(connection, (text) => setIn(text, ['schedule'], schedule))
  await forgetState(home, connection.name)
  await openScheduleStore(home).save(connection.name, currentState(schedule, null, now))
  return changed
}

export async function removeSchedule(given: string, home: string): Promise<Connection> {
  const connection = await withSchedule(given, home)
  const changed = await write(connection, (text) => removeIn(text, ['schedule']))
  await forgetState(home, connection.name)
  return changed
}

/** Pausing ends no run. Times that pass meanwhile are missed: after resuming they are one run. */
export async function pauseSchedule(given: string, isPaused: boolean, home: string): Promise<Connection> {
  const connection = await withSchedule(given, home)
  return write(connection, (text) =>
    isPaused ? setIn(text, ['schedule', 'paused'], true) : removeIn(text, ['schedule', 'paused']),
  )
}

export async function withSchedule(given: string, home: string): Promise<Connection & { readonly schedule: Schedule }> {
  const connection = await schedulable(given, home)
  const { schedule } = connection
  if (schedule !== null) return { ...connection, schedule }
  throw new ConnectorError('schedules/none', `The connection "${connection.name}" has no schedule.`)
}

async function write({ file }: Connection, edit: (text: string) => string): Promise<Connection> {
  try {
    // Read again: an edit of someone else since then is kept.
    const before = await readFile(file, 'utf8')
    const text = edit(before)
    const changed = parseConnection(text, file)
    if (text !== before) await rewriteFile(file, Buffer.from(text))
    return changed
  } catch (error) {
    const trouble = error instanceof ConnectorError ? null : describeDiskError(error)
    if (trouble === null) throw error
    throw new ConnectorError('cli/file', `${file} cannot be written: ${trouble}.`, { cause: error })
  }
}
