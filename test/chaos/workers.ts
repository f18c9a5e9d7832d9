/**
 * Four workers, a sliced and an unsliced stream; workers are killed, paused past their lease and stopped at random moments.
 * Every paused one wakes up again, and finds that it was replaced. Rows must equal those of the API.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom } from '../helpers/random.ts'
import type { workerWorld } from '../workers/world.ts'
import { slicedWorld } from './sliced-world.ts'

/** Longer than the lease and the time in which it is noticed. */
const pausedMs = 25_000

export async function surviveWorkers({ seed, blows }: { seed: number; blows: number }) {
  await using world = await slicedWorld({ shops: 300, perShop: 5, unsliced: 400 })
  await world.connect('shop', { concurrency: '1', mode: 'full-refresh-append' })

  const random = randomFrom(seed)
  const start = () => world.worker(['--syncs', '1', '--parts', '1', '--part-size', '20', '--split-from', '50'])
  const workers = await Promise.all([start(), start(), start(), start()])
  const waking: Promise<void>[] = []
  const counts = { killed: 0, paused: 0, stopped: 0, refused: 0 }
  const follower = world.start(['sync', 'shop', '--on'])
  follower.child.stderr.resume()
  follower.child.stdout.resume()
  const isEnded = () => follower.child.exitCode !== null
  for (let blow = 0; blow < blows && !isEnded(); blow++) {
    await Promise.race([sleep(500 + random() * 4000), follower.ended])
    const index = Math.floor(random() * workers.length)
    const worker = workers[index]
    if (worker === undefined || isEnded()) break
    const how = random()
    if (how < 0.5) {
      counts.killed++
      worker.child.kill('SIGKILL')
      await worker.ended
    } else if (how < 0.8) {
      counts.paused++
      worker.child.kill('SIGSTOP')
      waking.push(wake(worker, counts))
    } else {
      counts.stopped++
      worker.child.kill('SIGTERM')
      await worker.ended
    }
    workers[index] = await start()
  }
  const code = await follower.ended
  await Promise.all(waking)
  for (const worker of workers) worker.child.kill('SIGTERM')
  await Promise.all(workers.map(({ ended }) => ended))
  const differences = [await world.differs('shop', 'orders'), await world.differs('shop', 'list')]
  const lost = differences.reduce((sum, one) => sum + one.lost, 0)
  const doubled = differences.reduce((sum, one) => sum + one.doubled, 0)
  const table = [
    '| workers killed | paused and woken | of these, refused | stopped | rows lost | rows doubled | exit code |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    `| ${counts.killed} | ${counts.paused} | ${counts.refused} | ${counts.stopped} | ${lost} | ${doubled} | ${code} |`,
  ].join('\n')
  return { table, isSame: lost === 0 && doubled === 0 && code === 0 }
}

type WorkerProcess = Awaited<ReturnType<Awaited<ReturnType<typeof workerWorld>>['worker']>>

/** Wakes it up after its lease, and ends it once it had time to write. */
async function wake(worker: WorkerProcess, counts: { refused: number }): Promise<void> {
  await sleep(pausedMs)
  worker.child.kill('SIGCONT')
  await sleep(3000)
  worker.child.kill('SIGTERM')
  await worker.ended
  const log = await worker.log()
  if (log.some(({ error }) => error?.code === 'destinations/taken-over')) counts.refused++
}
