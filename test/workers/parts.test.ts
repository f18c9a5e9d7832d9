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

/** Nothing is answered until as many requests wait at the same time. */
async function partsWorld({ together }: { together: number }) {
  const world = await workerWorld()
  let waiting: (() => void)[] = []
  let isOpen = false
  const open = () => {
    isOpen = true
    for (const answer of waiting) answer()
    waiting = []
  }
  let gathered = () => {}
  const areTogether = new Promise<void>((resolve) => {
    gathered = resolve
  })
  const api = await serveApi({
    'GET /orders': async (query) => {
      if (!isOpen) {
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
          if (waiting.length === together) gathered()
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
  const one = stream(api.url, { name: 'orders' }) as { retriever: Record<string, unknown> }
  one.retriever.partition_router = router
  await world.write('connectors/shop/manifest.json', manifestOf([one]))
  await world.connect('shop', { concurrency: '1', mode: 'full-refresh-append' })
  return {
    ...world,
    asked: api.asked,
    areTogether,
    open,
    worker: () => world.worker(['--syncs', '1', '--parts', '2', '--part-size', '4', '--split-from', '8']),
    async [Symbol.asyncDispose]() {
      open()
      await api[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

describe('parts', { concurrency: 2 }, () => {
  test('all workers read one stream; every page is requested once, and the lead publishes', async () => {
    await using world = await partsWorld({ together: 4 })
    await using one = await world.worker()
    await using other = await world.worker()
    await using follower = world.start(['sync', 'shop', '--on'])
    // Each worker has two slots for parts, and a part reads one slice at a time.
    await world.areTogether
    world.open()
    assert.match(await said(follower.child.stderr, 'written to'), /orders is read in 6 parts by all workers/)
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
})
