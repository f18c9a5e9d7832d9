/** `turnleaf schedule … --on postgres://…`: the schedules in the database of the workers. */
import { isPath } from '../../connections/find-connection.ts'
import type { Schedule } from '../../connections/schedule.ts'
import { type ListedSchedule, listedSchedule } from '../../schedules/list-schedules.ts'
import { ConnectorError } from '../../std/errors.ts'
import { stringifyJson } from '../../std/json.ts'
import type { QueueDatabase } from '../../workers/database.ts'
import { openWorkers } from '../../workers/open.ts'
import {
  databaseNow,
  findSharedSchedule,
  pauseSharedSchedule,
  removeSharedSchedule,
  setSharedSchedules,
  sharedSchedules,
} from '../../workers/schedules.ts'
import { withFailureReport } from '../report-error.ts'
import { say } from '../terminal/print.ts'
import { workersAddress } from '../workers-address.ts'
import { printSchedule, sayNext } from './schedule.ts'
import { runSyncOn } from './sync-on.ts'

type On = string | true

/** The connection may be on the workers only: its name is all that is stored. */
export async function addShared(connection: string, schedule: Schedule, on: On, isJson: boolean): Promise<number> {
  if (isPath(connection))
    throw new ConnectorError('cli/arguments', 'With --on, name a connection: paths differ between machines.')
  await using workers = await openWorkers(workersAddress(on))
  await setSharedSchedules(workers.database, [{ connection, schedule }])
  const listed = await listedOf(workers.database, connection)
  printSchedule(listed, isJson)
  say(`The schedule is in ${workers.database.address}. Next run: ${sayNext(listed)}.`)
  return 0
}

export async function listShared(on: On): Promise<ListedSchedule[]> {
  await using workers = await openWorkers(workersAddress(on))
  const now = await databaseNow(workers.database.query)
  return (await sharedSchedules(workers.database)).map((one) => listedSchedule(one, now))
}

export async function pauseShared(connection: string, isPaused: boolean, on: On, isJson: boolean): Promise<number> {
  await using workers = await openWorkers(workersAddress(on))
  await pauseSharedSchedule(workers.database, connection, isPaused)
  const listed = printSchedule(await listedOf(workers.database, connection), isJson)
  say(isPaused ? 'Paused.' : `Resumed. Next run: ${sayNext(listed)}.`)
  return 0
}

export async function removeShared(connection: string, on: On, isJson: boolean): Promise<number> {
  await using workers = await openWorkers(workersAddress(on))
  await removeSharedSchedule(workers.database, connection)
  if (isJson) process.stdout.write(`${stringifyJson({ connection })}\n`)
  say(`Removed the schedule of ${connection}. The connection stays.`)
  return 0
}

/** As `turnleaf sync CONNECTION --on`; the worker stores the result as that of the schedule. */
export function runShared(connection: string, on: On, json: boolean): Promise<number> {
  return withFailureReport(async (learn) => {
    {
      await using workers = await openWorkers(workersAddress(on))
      await findSharedSchedule(workers.database, connection)
    }
    return await runSyncOn(connection, { on, json }, learn, { isScheduled: true })
  })
}

async function listedOf(database: QueueDatabase, connection: string): Promise<ListedSchedule> {
  return listedSchedule(await findSharedSchedule(database, connection), await databaseNow(database.query))
}
