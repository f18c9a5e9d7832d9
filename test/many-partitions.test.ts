/** Thousands of partitions from a parent of many pages, without sockets: bounded, never stuck, ended on request. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadManifest, readPages } from '../src/index.ts'
import { answering, type Asked } from './helpers/answering.ts'
import { offsetPaginator, sourceOf, streamOf } from './helpers/manifests.ts'

const teamCount = 1500
const answer = ({ path, query }: Asked) => {
  if (path !== '/teams') return { data: [{ id: path }] }
  const offset = Number(query.get('offset') ?? 0)
  const length = Math.min(10, teamCount - offset)
  return { data: Array.from({ length }, (_, index) => ({ id: offset + index })) }
}
const url = 'https://api.test'
const teams = streamOf({
  url,
  name: 'teams',
  requester: { path: '/teams' },
  paginator: offsetPaginator({ page_size: 10 }),
})
const members = streamOf({
  url,
  name: 'members',
  requester: { path: '/members/{{ stream_partition.team }}' },
  retriever: {
    partition_router: {
      type: 'SubstreamPartitionRouter',
      parent_stream_configs: [{ type: 'ParentStreamConfig', stream: teams, parent_key: 'id', partition_field: 'team' }],
    },
  },
})
const manifest = loadManifest(sourceOf([members]))

for (const concurrency of [1, 2, 50]) {
  test(`every partition is read once, and ${concurrency} requests at most are under way`, async () => {
    const network = answering(answer, ({ path }) => path.length % 3)
    const ids = new Set<unknown>()
    for await (const { records } of readPages(manifest, { network, concurrency })) ids.add(records[0]?.id)
    assert.equal(ids.size, teamCount)
    // The pages of the parent that were under way when its end was found.
    const inVain = network.asked.length - (teamCount + teamCount / 10 + 1)
    assert.ok(inVain >= 0 && inVain < Math.min(16, concurrency), `${inVain} in vain`)
    assert.ok(network.most() <= concurrency, `${network.most()} under way`)
    assert.equal(network.underWay(), 0)
  })
}

test('parents are requested as their children are read', async () => {
  const network = answering(answer)
  let pages = 0
  for await (const _ of readPages(manifest, { network, concurrency: 4 })) if (++pages === 50) break
  const parents = network.asked.filter((asked) => asked.startsWith('/teams')).length
  assert.ok(parents <= 12, `${parents} pages of the parent for 50 children`)
})

test('a read that is cancelled ends at once and asks for nothing more', async () => {
  const cancel = new AbortController()
  const network = answering(answer, ({ path }) => (path === '/members/20' ? Number.POSITIVE_INFINITY : 1))
  let pages = 0
  const reading = async () => {
    for await (const _ of readPages(manifest, { network, concurrency: 3, signal: cancel.signal })) {
      if (++pages === 100) cancel.abort(new Error('enough'))
    }
  }
  await assert.rejects(reading)
  const asked = network.asked.length
  for (let turn = 0; turn < 20; turn++) await new Promise((go) => setImmediate(go))
  assert.ok(pages <= 103, `${pages} pages`)
  assert.deepEqual([network.asked.length, network.underWay()], [asked, 0])
})
