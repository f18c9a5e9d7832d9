/** What workers give and cost: one stream of many slices read by 1, 2 and 4 of them, a job, and a take-over. */
import { setTimeout as sleep } from 'node:timers/promises'
import { manifestOf, stream } from '../cli/shop.ts'
import { option } from '../helpers/manifests.ts'
import { freshDatabase } from '../helpers/postgres.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { openWorkers } from '../../src/workers/open.ts'
import { setSharedSchedules, sharedSchedules, startDue } from '../../src/workers/schedules.ts'
import { workerWorld } from '../workers/world.ts'

const latencyMs = 50
const shops = Array.from({ length: 800 }, (_, index) => `shop${index}`)

export async function measureWorkerSpeed(): Promise<string> {
  const rows = []
  for (const workers of [1, 2, 4]) rows.push(await measure(workers))
  const first = rows[0]?.perSecond ?? 1
  const jobs = await measureJobs()
  const takeOver = await measureTakeOver()
  const schedules = await measureSchedules()
  return [
    `| ${latencyMs} ms a page, workers | slices read at a time | slices/s | × one worker |`,
    '| ---: | ---: | ---: | ---: |',
    ...rows.map(({ workers, perSecond }) => {
      return `| ${workers} | ${workers * 2} | ${perSecond.toFixed(1)} | ${(perSecond / first).toFixed(2)} |`
    }),
    '',
    '| | |',
    '| --- | --- |',
    `| ${smallSyncs} small syncs, each a command of its own process | ${jobs.byCommand.toFixed(0)} ms each |`,
    `| submitted, and run by one worker with two slots | ${jobs.byWorker.toFixed(0)} ms each |`,
    `| a worker is killed: another one requests the next page after | ${takeOver.toFixed(1)} s |`,
    `| 5,000 schedules: to add, to list, to start all at once | ${schedules.map((ms) => `${(ms / 1000).toFixed(2)} s`).join(', ')} |`,
  ].join('\n')
}

const smallSyncs = 40

/** Milliseconds for each: a sync of three pages. */
async function measureJobs(): Promise<{ byCommand: number; byWorker: number }> {
  await using world = await workerWorld()
  const names = Array.from({ length: smallSyncs }, (_, index) => `shop${index}`)
  for (const name of names) await world.connect(name)
  const commandsStarted = performance.now()
  for (const name of names) await succeeds(world.runAlone(['sync', name]))
  const byCommand = (performance.now() - commandsStarted) / smallSyncs
  await using _worker = await world.worker(['--syncs', '2'])
  const jobsStarted = performance.now()
  for (const name of names) await succeeds(world.run(['sync', name, '--on', '--detach']))
  const isOpen = ({ state }: { state: string }) => state === 'waiting' || state === 'running'
  while ((await world.jobs()).some(isOpen)) await sleep(100)
  return { byCommand, byWorker: (performance.now() - jobsStarted) / smallSyncs }
}

/** Milliseconds to add 5,000 schedules, to list them, and to start them all, by two processes at a time. */
async function measureSchedules(): Promise<number[]> {
  await using database = await freshDatabase()
  await using one = await openWorkers(database.url)
  await using other = await openWorkers(database.url)
  const names = Array.from({ length: 5000 }, (_, index) => `c${index}`)
  const given = names.map((connection) => ({ connection, schedule: { every: '1h' } }))
  const times = [performance.now()]
  await setSharedSchedules(one.database, given)
  times.push(performance.now())
  const listed = await sharedSchedules(other.database)
  times.push(performance.now())
  const started = new Set<string>()
  let count = 0
  while (count < names.length) {
    const both = await Promise.all([startDue(one.database, one.queue), startDue(other.database, other.queue)])
    count += both.flat().length
    for (const name of both.flat()) started.add(name)
  }
  times.push(performance.now())
  if (listed.length !== 5000 || started.size !== count) throw new Error(`${listed.length} listed, ${count} started`)
  return times.slice(1).map((time, index) => time - (times[index] ?? 0))
}

async function succeeds(ran: Promise<{ code: unknown; stderr: string }>): Promise<void> {
  const { code, stderr } = await ran
  if (code !== 0) throw new Error(stderr)
}

/** Seconds from the end of a worker in the middle of a sync to the next request of the worker that takes over. */
async function measureTakeOver(): Promise<number> {
  await using world = await workerWorld()
  await world.connect('shop')
  await using first = await world.worker(['--syncs', '1'])
  const { held, release } = world.hold()
  await succeeds(world.run(['sync', 'shop', '--on', '--detach']))
  await held
  await using _second = await world.worker(['--syncs', '1'])
  first.child.kill('SIGKILL')
  await first.ended
  const killed = performance.now()
  const again = world.hold()
  release()
  await again.held
  const seconds = (performance.now() - killed) / 1000
  again.release()
  return seconds
}

async function measure(count: number): Promise<{ workers: number; perSecond: number }> {
  await using world = await workerWorld()
  await using api = await serveApi({
    '*': async (query) => {
      await sleep(latencyMs)
      return { json: { data: [{ id: shops.indexOf(query.get('shop') ?? '') }] } }
    },
  })
  const sliced = stream(api.url, { name: 'orders' }) as {
    retriever: Record<string, unknown>
  }
  sliced.retriever.paginator = { type: 'NoPagination' }
  sliced.retriever.partition_router = {
    type: 'ListPartitionRouter',
    values: shops,
    cursor_field: 'shop',
    request_option: option('request_parameter', 'shop'),
  }
  await world.write('connectors/shop/manifest.json', manifestOf([sliced]))
  // A part reads one slice at a time, so that the latency limits the speed, not the processors of this machine.
  await world.connect('shop', { concurrency: '1' })
  const start = () => world.worker(['--syncs', '1', '--parts', '2', '--part-size', '20', '--split-from', '50'])
  const workers = await Promise.all(Array.from({ length: count }, start))
  await succeeds(world.run(['sync', 'shop', '--on']))
  const [row] = await world.database.query(
    `SELECT extract(epoch FROM max(completed_on) - min(started_on))::float8 AS seconds FROM turnleaf_queue.job WHERE name = 'part'`,
  )
  for (const { child } of workers) child.kill('SIGTERM')
  await Promise.all(workers.map(({ ended }) => ended))
  return { workers: count, perSecond: shops.length / Number(row?.seconds) }
}
