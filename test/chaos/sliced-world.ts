/** A world of workers whose API has a stream of many slices and one of a single slice, and how tables differ from it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { manifestOf, stream } from '../cli/shop.ts'
import { option } from '../helpers/manifests.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { workerWorld } from '../workers/world.ts'

export type SlicedSize = { readonly shops: number; readonly perShop: number; readonly unsliced: number }

export async function slicedWorld({ shops: count, perShop, unsliced }: SlicedSize) {
  const shops = Array.from({ length: count }, (_, index) => `shop${index}`)
  const world = await workerWorld()
  const api = await serveApi({
    '*': async (query, { path }) => {
      await sleep(40)
      const offset = Number(query.get('offset') ?? 0)
      if (path === '/list') return { json: { data: records(0, unsliced).slice(offset, offset + 2) } }
      const index = shops.indexOf(query.get('shop') ?? '')
      return { json: { data: records(index * 10, perShop).slice(offset, offset + 2) } }
    },
  })
  const sliced = stream(api.url, { name: 'orders' }) as { retriever: Record<string, unknown> }
  sliced.retriever.partition_router = {
    type: 'ListPartitionRouter',
    values: shops,
    cursor_field: 'shop',
    request_option: option('request_parameter', 'shop'),
  }
  const list = stream(api.url, { name: 'list', path: '/list' })
  await world.write('connectors/shop/manifest.json', manifestOf([sliced, list]))
  const expected = {
    orders: shops.flatMap((_, index) => idsOf(records(index * 10, perShop))),
    list: idsOf(records(0, unsliced)),
  }
  return {
    ...world,
    /** When so many more requests have come: a sync is in the middle of its work. */
    async requests(more: number) {
      for (const before = api.asked.length; api.asked.length < before + more; ) await sleep(20)
    },
    /** What the table of a connection lacks, and has more than once. */
    async differs(connection: string, name: keyof typeof expected): Promise<Difference> {
      const rows = idsOf(await world.database.query(`SELECT id FROM "${connection}"."${name}"`))
      const found = new Set(rows)
      return { lost: expected[name].filter((id) => !found.has(id)).length, doubled: rows.length - found.size }
    },
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

export type Difference = { readonly lost: number; readonly doubled: number }

function records(from: number, count: number): { id: number }[] {
  return Array.from({ length: count }, (_, index) => ({ id: from + index }))
}

function idsOf(rows: readonly Record<string, unknown>[]): number[] {
  return rows.map(({ id }) => Number(id))
}
