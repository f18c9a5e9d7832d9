/** Workers whose clocks differ by hours: only the clock of the database counts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startPostgres } from '../helpers/postgres-server.ts'
import { until } from '../helpers/until.ts'
import { linesOf, workerWorld } from './world.ts'

/** For a process: its clock is so many hours off. */
function clockOff(hours: number): Record<string, string> {
  const program = `
    const Real = Date
    globalThis.Date = class extends Real {
      constructor(...given) { if (given.length === 0) super(Date.now()); else super(...given) }
      static now() { return Real.now() + ${hours} * 3600000 }
    }`
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(program)}` }
}

test('a schedule is started once by workers whose clocks are hours ahead and behind; its times are those of the database', async () => {
  await using world = await workerWorld()
  await world.connect('shop', { mode: 'full-refresh-append' })
  for (const name of ['one', 'two', 'three']) await world.connect(name)
  assert.equal((await world.run(['schedule', 'add', 'shop', '--every', '1h', '--on'])).code, 0)
  await using ahead = await world.worker(['--syncs', '1'], clockOff(5))
  await using behind = await world.worker(['--syncs', '1'], clockOff(-5))
  type Listed = { last: { status: string; startedAt: string } | null; nextAt: string }
  const listed = await until('the scheduled run has ended', async () => {
    const [one] = linesOf((await world.run(['schedule', 'list', '--json', '--on'])).stdout) as unknown as Listed[]
    return one?.last?.status === 'complete' && { ...one, startedAt: one.last.startedAt }
  })
  // Each of these takes longer than a look at the schedules.
  for (const name of ['one', 'two', 'three']) assert.equal((await world.run(['sync', name, '--on'])).code, 0)
  const jobs = (await world.jobs()).filter(({ connection }) => connection === 'shop')
  assert.deepEqual(
    jobs.map(({ state }) => state),
    ['ended'],
  )
  assert.deepEqual(await world.ids('shop'), [1, 2, 3, 4, 5, 6])
  const minutes = (time: string) => (Date.parse(time) - Date.now()) / 60_000
  assert.ok(Math.abs(minutes(listed.startedAt)) < 2, listed.startedAt)
  assert.ok(Math.abs(minutes(listed.nextAt) - 60) < 2, listed.nextAt)
  for (const { child, ended } of [ahead, behind]) {
    child.kill('SIGTERM')
    await ended
  }
  const times = (await ahead.log()).map((line) => minutes((line as unknown as { time: string }).time))
  assert.ok(
    times.every((time) => time > 200),
    'the clock of the worker is ahead',
  )
})

/** For a process: its clock is set back by an hour with this signal. */
const setBackOn = (signal: NodeJS.Signals) => {
  const program = `
    const now = Date.now
    let back = 0
    Date.now = () => now() - back
    process.on('${signal}', () => { back += 3600000 })`
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(program)}` }
}

test('a worker whose clock is set back while the queue is away says when the queue is back', async () => {
  await using server = await startPostgres()
  await using world = await workerWorld({ server: server.url })
  await using worker = await world.worker([], setBackOn('SIGUSR2'))
  const heard = () => worker.logSoFar().filter(({ event }) => event.startsWith('queue-'))
  await server.stop('fast')
  await until('its last word is that the queue is away', () => heard().at(-1)?.event === 'queue-unreachable')
  worker.child.kill('SIGUSR2')
  await server.start()
  await until('its last word is that the queue is back', () => heard().at(-1)?.event === 'queue-reached')
  worker.child.kill('SIGTERM')
  assert.equal(await worker.ended, 'SIGTERM')
})
