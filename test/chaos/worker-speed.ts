/** How fast one stream of many slices is read by 1, 2 and 4 workers, from an API that takes 50 ms for a page. */
import { setTimeout as sleep } from 'node:timers/promises'
import { manifestOf, stream } from '../cli/shop.ts'
import { option } from '../helpers/manifests.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { workerWorld } from '../workers/world.ts'

const latencyMs = 50
const shops = Array.from({ length: 800 }, (_, index) => `shop${index}`)

export async function measureWorkerSpeed(): Promise<string> {
  const rows = []
  for (const workers of [1, 2, 4]) rows.push(await measure(workers))
  const first = rows[0]?.perSecond ?? 1
  return [
    '| workers | slices read at a time | slices/s | × one worker |',
    '| ---: | ---: | ---: | ---: |',
    ...rows.map(({ workers, perSecond }) => {
      return `| ${workers} | ${workers * 2} | ${perSecond.toFixed(1)} | ${(perSecond / first).toFixed(2)} |`
    }),
  ].join('\n')
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
  const { code, stderr } = await world.run(['sync', 'shop', '--on'])
  if (code !== 0) throw new Error(stderr)
  const [row] = await world.database.query(
    `SELECT extract(epoch FROM max(completed_on) - min(started_on))::float8 AS seconds FROM turnleaf_queue.job WHERE name = 'part'`,
  )
  for (const { child } of workers) child.kill('SIGTERM')
  await Promise.all(workers.map(({ ended }) => ended))
  return { workers: count, perSecond: shops.length / Number(row?.seconds) }
}
