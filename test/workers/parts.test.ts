/** A stream of many slices, read by several worker processes and published once. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { said } from '../cli/run-cli.ts'
import { manifestOf, stream } from '../cli/shop.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { option } from '../helpers/manifests.ts'
import { workerWorld } from './world.ts'

const shops = Array.from({ length: 24 }, (_, index) => `shop${index}`)
const perShop = 3
const expected = shops.flatMap((_, index) => Array.from({ length: perShop }, (__, number) => index * 10 + number))

/** Nothing is answered until as many requests wait at the same time, of every stream. */
async function partsWorld({ together, streams = ['orders'] }: { together: number; streams?: readonly string[] }) {
  const world = await workerWorld()
  let waiting: { path: string; answer: () => void }[] = []
  let isOpen = false
  const open = () => {
    isOpen = true
    for (const { answer } of waiting) answer()
    waiting = []
  }
  let gathered = () => {}
  const areTogether = new Promise<void>((resolve) => {
    gathered = resolve
  })
  const api = await serveApi({
    '*': async (query, { path }) => {
      if (!isOpen) {
        await new Promise<void>((answer) => {
          waiting.push({ path, answer })
          const isEvery = streams.every((name) => waiting.some((one) => one.path === `/${name}`))
          if (waiting.length >= together && isEvery) gathered()
        })
      }
      const [index, offset] = [shops.indexOf(query.get('shop') ?? ''), Number(query.get('offset') ?? 0)]
      const all = Array.from({ length: perShop }, (_, number) => ({ id: index * 10 + number }))
      return { json: { data: all.slice(offset, offset + 2) } }
    },
  })
  const router = {
    type: 'ListPartitionRouter',
    values: shops,
    cursor_field: 'shop',
    request_option: option('request_parameter', 'shop'),
  }
  const sliced = streams.map((name) => {
    const one = stream(api.url, { name, path: `/${name}` }) as { retriever: Record<string, unknown> }
    one.retriever.partition_router = router
    return one
  })
  await world.write('connectors/shop/manifest.json', manifestOf(sliced))
  await world.connect('shop', { concurrency: '1', mode: 'full-refresh-append' })
  return {
    ...world,
    asked: api.asked,
    areTogether,
    open,
    close() {
      isOpen = false
    },
    /** Those of the API in the table of a stream. */
    rowsOf: async (name: string) =>
      (await world.database.query(`SELECT id FROM shop."${name}" ORDER BY id`)).map(({ id }) => Number(id)),
    worker: (parts = 2) =>
      world.worker(['--syncs', '1', '--parts', String(parts), '--part-size', '4', '--split-from', '8']),
    async [Symbol.asyncDispose]() {
      open()
      await api[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

describe('parts', { concurrency: 3 }, () => {
  test('all workers read one stream; every page is requested once, and the lead publishes', async () => {
    await using world = await partsWorld({ together: 4 })
    await using one = await world.worker()
    await using other = await world.worker()
    await using follower = world.start(['sync', 'shop', '--on'])
    // Each worker has two slots for parts, and a part reads one slice at a time.
    await world.areTogether
    world.open()
    const heard = await said(follower.child.stderr, 'written to')
    assert.match(heard, /orders is read in 6 parts by all workers[^]*Syncing 1 stream of "shop"/)
    assert.doesNotMatch(heard, /interrupted/)
    assert.equal(await follower.ended, 0)
    assert.deepEqual(await world.ids('shop'), expected)
    assert.equal(new Set(world.asked).size, world.asked.length)
    for (const { child, ended, log } of [one, other]) {
      child.kill('SIGTERM')
      await ended
      const parts = (await log()).filter(({ event, ending }) => event === 'part-ended' && ending === 'read')
      assert.ok(parts.length >= 2, `${parts.length} parts`)
    }
  })

  test('Ctrl-C while other workers read the parts: the command ends as soon as the lead has stopped', async () => {
    await using world = await partsWorld({ together: 2 })
    await using worker = await world.worker()
    await using follower = world.start(['sync', 'shop', '--on'])
    await world.areTogether
    follower.child.kill('SIGINT')
    assert.equal(await follower.ended, 'SIGINT')
    worker.child.kill('SIGTERM')
    await worker.ended
    const events = (await worker.log()).flatMap(({ event, connection }) => (connection === 'shop' ? [event] : []))
    // The command ends with this word of the lead, rather than with its own patience.
    assert.ok(events.includes('job-failed'), events.join())
  })

  test('the lead is killed with its parts: another worker leads, and no row is lost or doubled', async () => {
    await using world = await partsWorld({ together: 2 })
    await using one = await world.worker()
    await using follower = world.start(['sync', 'shop', '--on'])
    await world.areTogether
    one.child.kill('SIGKILL')
    await one.ended
    await using other = await world.worker()
    world.open()
    assert.equal(await follower.ended, 0)
    assert.deepEqual(await world.ids('shop'), expected)
    other.child.kill('SIGTERM')
    await other.ended
  })

  test('several streams are split at the same time, also afresh; when the lead is killed, each began anew once', async () => {
    const streams = ['orders', 'refunds']
    await using world = await partsWorld({ together: 2, streams })
    await world.connect('shop', { concurrency: '1', mode: 'full-refresh-overwrite' })
    world.open()
    await using one = await world.worker(4)
    assert.equal((await world.run(['sync', 'shop', '--on'])).code, 0)
    const requests = world.asked.length
    assert.equal(new Set(world.asked).size, requests)
    // Parts of both are read side by side: the seventh part is the first of the second stream.
    world.close()
    await using other = await world.worker(4)
    await using follower = world.start(['sync', 'shop', '--fresh', '--on'])
    const heard = said(follower.child.stderr, 'written to')
    await world.areTogether
    const lead = await world.leadOf('shop')
    const [killed, left] = lead.includes(`-${one.pid}-`) ? [one, other] : [other, one]
    killed.child.kill('SIGKILL')
    await killed.ended
    world.open()
    assert.match(await heard, /orders is read in 6 parts.*[^]*refunds is read in 6 parts/)
    assert.equal(await follower.ended, 0)
    for (const name of streams) assert.deepEqual(await world.rowsOf(name), expected)
    // The first sync, and one fresh start, planned and read by two leads.
    const runs = await world.database.query(
      `SELECT (text::jsonb->>'attempts')::int > 2 AS again FROM shop._turnleaf_notes WHERE key LIKE 'run/%' ORDER BY key`,
    )
    assert.deepEqual(runs, [{ again: false }, { again: true }])
    left.child.kill('SIGTERM')
    await left.ended
  })
})
