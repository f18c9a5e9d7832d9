/** `turnleaf schedule add | list | pause | resume | remove | run` */
import { homeFolder } from '../../connections/find-connection.ts'
import { parseSchedule, type Schedule } from '../../connections/schedule.ts'
import { currentState, endedState } from '../../schedules/decide.ts'
import { pauseSchedule, removeSchedule, setSchedule, withSchedule } from '../../schedules/edit-schedule.ts'
import { type ListedSchedule, listedSchedule, listSchedules } from '../../schedules/list-schedules.ts'
import { failureOutcome, runOutcome, type RunOutcome } from '../../schedules/run-connection.ts'
import { openScheduleStore } from '../../schedules/store.ts'
import { sendWebhook, webhookBody } from '../../schedules/webhook.ts'
import { ConnectorError } from '../../std/errors.ts'
import { stringifyJson } from '../../std/json.ts'
import { shellWord } from '../destination-address.ts'
import { indentJson, noColours, oneLine, say, tableOf } from '../terminal/print.ts'
import { syncAndReport } from './sync.ts'

type Json = {
  readonly json?: boolean
  /** Of workers; true where it is TURNLEAF_ON. */
  readonly on?: string | true
}

const loadShared = () => import('./schedule-on.ts')

type AddOptions = Json & Pick<Schedule, 'every' | 'cron' | 'timezone' | 'webhook'>

export async function runScheduleAdd(
  given: string,
  { every, cron, timezone, webhook, json = false, on }: AddOptions,
): Promise<number> {
  if (every === undefined && cron === undefined) {
    throw new ConnectorError('cli/arguments', '--every or --cron is required.', {
      hint: `npx turnleaf schedule add ${shellWord(given)} --every 1h`,
    })
  }
  const home = homeFolder()
  const schedule = parseSchedule({
    ...(every !== undefined && { every }),
    ...(cron !== undefined && { cron }),
    ...(timezone !== undefined && { timezone }),
    ...(webhook !== undefined && { webhook }),
  })
  if (on !== undefined) return (await loadShared()).addShared(given, schedule, on, json)
  const { name, file } = await setSchedule(given, schedule, home, Date.now())
  const listed = await print(name, home, json)
  say(`The schedule is in ${file}. Next run: ${sayNext(listed)}.`)
  say('`npx turnleaf serve` runs it; nothing else has to be installed.')
  return 0
}

export async function runScheduleList({ json = false, on }: Json): Promise<number> {
  const listed =
    on === undefined
      ? await listSchedules(openScheduleStore(homeFolder()), Date.now())
      : await (await loadShared()).listShared(on)
  if (json) process.stdout.write(listed.map((one) => `${stringifyJson(one)}\n`).join(''))
  else if (listed.length > 0) {
    const titles = ['connection', 'when', 'next', 'last', 'exit', 'ended', 'error']
    process.stdout.write(`${tableOf(titles, listed.map(rowOf), { paint: noColours }).join('\n')}\n`)
  }
  if (listed.length === 0) say('There are no schedules yet. Add one: npx turnleaf schedule add CONNECTION --every 1h')
  return 0
}

function rowOf(one: ListedSchedule): string[] {
  const { connection, last, problem, failures } = one
  const error = problem ?? last?.error ?? null
  const inARow = failures > 1 ? `${failures} times in a row: ` : ''
  return [
    connection,
    sayWhen(one),
    sayNext(one),
    last?.status ?? '-',
    last?.exitStatus === null || last === null ? '-' : String(last.exitStatus),
    last?.endedAt == null ? '-' : shortTime(last.endedAt),
    error === null ? '' : oneLine(`${inARow}${error.code}: ${error.message}`),
  ]
}

function sayWhen({ every, cron, timezone }: ListedSchedule): string {
  if (every !== null) return `every ${every}`
  return cron === null ? '-' : `${cron} ${timezone ?? ''}`
}

export function sayNext({ isPaused, nextAt }: ListedSchedule): string {
  if (isPaused) return 'paused'
  if (nextAt === null) return '-'
  return Date.parse(nextAt) <= Date.now() ? 'now' : shortTime(nextAt)
}

/** `2026-11-15 09:05:07 UTC` */
function shortTime(iso: string): string {
  return iso.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')
}

export async function runSchedulePause(given: string, { json = false, on }: Json): Promise<number> {
  if (on !== undefined) return (await loadShared()).pauseShared(given, true, on, json)
  const { name } = await pauseSchedule(given, true, homeFolder())
  await print(name, homeFolder(), json)
  say(`Paused. Resume it with \`npx turnleaf schedule resume ${shellWord(name)}\`.`)
  return 0
}

export async function runScheduleResume(given: string, { json = false, on }: Json): Promise<number> {
  if (on !== undefined) return (await loadShared()).pauseShared(given, false, on, json)
  const { name } = await pauseSchedule(given, false, homeFolder())
  say(`Resumed. Next run: ${sayNext(await print(name, homeFolder(), json))}.`)
  return 0
}

export async function runScheduleRemove(given: string, { json = false, on }: Json): Promise<number> {
  if (on !== undefined) return (await loadShared()).removeShared(given, on, json)
  const { name } = await removeSchedule(given, homeFolder())
  if (json) process.stdout.write(`${stringifyJson({ connection: name })}\n`)
  say(`Removed the schedule of ${name}. The connection stays.`)
  return 0
}

/** As `turnleaf sync` in this process; the result is stored as that of the schedule. */
export async function runScheduleRun(given: string, { json = false, on }: Json): Promise<number> {
  if (on !== undefined) return (await loadShared()).runShared(given, on, json)
  const home = homeFolder()
  const connection = await withSchedule(given, home)
  const { name, schedule } = connection
  const startedAt = Date.now()
  let outcome: RunOutcome | null = null
  const code = await syncAndReport(
    name,
    { json },
    (result) => {
      if (result !== null) outcome = runOutcome(result)
    },
    (error, redact) => {
      outcome = failureOutcome(error, redact, false)
    },
  )
  await store(outcome)
  return code

  /** A run that the user interrupted says nothing about the schedule. */
  async function store(ended: RunOutcome | null): Promise<void> {
    if (ended === null || ended.status === 'interrupted') return
    const { receipts: _, ...last } = ended
    const endedAt = Date.now()
    const schedules = openScheduleStore(home)
    const current = currentState(schedule, (await schedules.find(name))?.state ?? null, endedAt)
    const before = { ...current, last: { ...last, startedAt, endedAt: null } }
    await schedules.save(name, endedState(schedule, before, last, endedAt))
    const body = webhookBody(name, { startedAt, endedAt, outcome: ended })
    const { signal } = new AbortController()
    const trouble = await sendWebhook(connection, body, { egress: 'loopback-allowed', signal })
    if (trouble !== null) say(`The webhook failed: ${trouble}.`)
  }
}

async function print(name: string, home: string, isJson: boolean): Promise<ListedSchedule> {
  const found = await openScheduleStore(home).find(name)
  if (found === null) throw new Error('The schedule was removed meanwhile.')
  return printSchedule(listedSchedule(found, Date.now()), isJson)
}

export function printSchedule(listed: ListedSchedule, isJson: boolean): ListedSchedule {
  if (isJson) process.stdout.write(`${indentJson(stringifyJson(listed))}\n`)
  return listed
}
