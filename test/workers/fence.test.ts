/**
 * A worker that is paused past its lease and wakes up when its work was done by another. It cannot reach the queue, so nothing tells it
 * that its lease has ended: the destination has to refuse it.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { said } from '../cli/run-cli.ts'
import { proxyTo } from './proxy.ts'
import { slicedApi } from './sliced-api.ts'
import { workerWorld } from './world.ts'

test('a worker that cannot reach the queue when it has read a part ends the part later', async () => {
  await using world = await workerWorld()
  await using api = await slicedApi(world, { shops: 24 })
  await world.connect('shop', { concurrency: '1', mode: 'full-refresh-append' })
  const args = ['--syncs', '1', '--parts', '1', '--part-size', '4', '--split-from', '8']
  await using lead = await world.worker(args)
  await using follower = world.start(['sync', 'shop', '--on'])
  follower.child.stderr.resume()
  await api.waiting(1)
  using queue = await proxyTo(world.database.url)
  await using away = await world.worker([...args, '--port', '0'], { TURNLEAF_ON: queue.url })
  await api.waiting(2)
  queue.cut()
  api.open()
  // Long enough for its part to be read.
  await setTimeout(1500)
  await queue.mend()
  assert.equal(await follower.ended, 0)
  assert.deepEqual(await world.ids('shop'), api.ids)
  for (const { child, ended } of [away, lead]) {
    child.kill('SIGTERM')
    await ended
  }
  const events = (await away.log()).map(({ event }) => event)
  assert.ok(events.includes('part-ended') && !events.includes('cannot-end-part'), events.join())
})

describe('a worker that was paused past its lease and wakes up', { concurrency: 2 }, () => {
  test('is refused as the lead of a sync', async () => {
    await using world = await workerWorld({ size: 12 })
    await world.connect('shop', { mode: 'full-refresh-append' })
    using queue = await proxyTo(world.database.url)
    await using paused = await world.worker(['--syncs', '1', '--port', '0'], { TURNLEAF_ON: queue.url })
    const hold = world.hold()
    await using follower = world.start(['sync', 'shop', '--on'])
    await hold.held
    paused.child.kill('SIGSTOP')
    queue.cut()
    await using other = await world.worker()
    await said(follower.child.stderr, 'has taken the job over')
    follower.child.stderr.resume()
    hold.release()
    assert.equal(await follower.ended, 0)
    paused.child.kill('SIGCONT')
    await paused.logs('destinations/taken-over')
    const metrics = await (await fetch(`${paused.url}/metrics`)).text()
    assert.match(metrics, /^turnleaf_worker_taken_over_total 1$/m)
    assert.deepEqual(
      await world.ids('shop'),
      world.all.map(({ id }) => id),
    )
    const [job] = await world.jobs()
    assert.deepEqual([job?.state, job?.error], ['ended', null])
    for (const { child, ended } of [paused, other]) {
      child.kill('SIGTERM')
      await ended
    }
  })

  test('is refused as the reader of a part', async () => {
    await using world = await workerWorld()
    await using api = await slicedApi(world, { shops: 24 })
    await world.connect('shop', { concurrency: '1', mode: 'full-refresh-append' })
    const args = ['--syncs', '1', '--parts', '1', '--part-size', '4', '--split-from', '8']
    await using lead = await world.worker(args)
    await using follower = world.start(['sync', 'shop', '--on'])
    follower.child.stderr.resume()
    await api.waiting(1)
    using queue = await proxyTo(world.database.url)
    await using paused = await world.worker([...args, '--port', '0'], { TURNLEAF_ON: queue.url })
    await api.waiting(2)
    paused.child.kill('SIGSTOP')
    queue.cut()
    // The page that it waits for is there when it wakes up.
    api.open()
    assert.equal(await follower.ended, 0)
    paused.child.kill('SIGCONT')
    await paused.logs('destinations/taken-over')
    assert.deepEqual(await world.ids('shop'), api.ids)
    for (const { child, ended } of [paused, lead]) {
      child.kill('SIGTERM')
      await ended
    }
    const log = await paused.log()
    assert.ok(log.some(({ event, error }) => event === 'part-failed' && error?.code === 'destinations/taken-over'))
  })
})
