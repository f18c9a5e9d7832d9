/** The connector "shop" of a world with one stream of many slices; its API responds to nothing until it is opened. */
import { manifestOf, stream } from '../cli/shop.ts'
import { option } from '../helpers/manifests.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { until } from '../helpers/until.ts'
import type { workerWorld } from './world.ts'

export async function slicedApi(world: Awaited<ReturnType<typeof workerWorld>>, { shops: count }: { shops: number }) {
  const shops = Array.from({ length: count }, (_, index) => `shop${index}`)
  const recordsOf = (index: number) => [0, 1, 2].map((number) => ({ id: index * 10 + number }))
  let waiting: (() => void)[] = []
  let isOpen = false
  const open = () => {
    isOpen = true
    for (const answer of waiting) answer()
    waiting = []
  }
  const api = await serveApi({
    'GET /orders': async (query) => {
      if (!isOpen) await new Promise<void>((answer) => waiting.push(answer))
      const offset = Number(query.get('offset') ?? 0)
      return { json: { data: recordsOf(shops.indexOf(query.get('shop') ?? '')).slice(offset, offset + 2) } }
    },
  })
  const one = stream(api.url, { name: 'orders' }) as { retriever: Record<string, unknown> }
  one.retriever.partition_router = {
    type: 'ListPartitionRouter',
    values: shops,
    cursor_field: 'shop',
    request_option: option('request_parameter', 'shop'),
  }
  await world.write('connectors/shop/manifest.json', manifestOf([one]))
  return {
    open,
    ids: shops.flatMap((_, index) => recordsOf(index).map(({ id }) => id)),
    waiting: (number: number) => until(`${number} requests wait`, () => waiting.length >= number),
    async [Symbol.asyncDispose]() {
      open()
      await api[Symbol.asyncDispose]()
    },
  }
}
