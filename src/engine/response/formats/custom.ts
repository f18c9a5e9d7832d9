/** What a custom decoder returns → items. */
import { awaitCustom, type CustomPlan, runCustom } from '../../custom/component.ts'
import { objectOf, recordAsJson } from '../../custom/check-returned.ts'
import { decodeText } from '../decode.ts'
import type { Decoder } from '../decoder.ts'
import type { HttpResponse } from '../http-response.ts'
import type { Items } from './items.ts'
import type { Chunks } from './unpack.ts'

export async function* customItems(
  plan: CustomPlan,
  decoder: Decoder,
  response: HttpResponse,
  chunks: Chunks,
): AsyncGenerator<Items> {
  const { status, url, headers, body } = response
  const context = { status, url, headers, body, chunks, text: () => decodeText(response) }
  const given: unknown = await awaitCustom(plan, () => decoder.decode(context))
  if (isIn(given, Symbol.asyncIterator)) yield* awaited(plan, given as AsyncIterable<unknown>)
  else if (isIn(given, Symbol.iterator)) yield* listed(plan, given as Iterable<unknown>)
  else yield item(plan, 0, () => objectOf(given, 'items, or an object'))
}

/** Its numbers may be ours, if it parses with our functions. */
function item(plan: CustomPlan, index: number, value: () => unknown): Items {
  return { values: [runCustom(plan, () => recordAsJson(value(), index))], hasFloats: true, bytes: 0 }
}

function isIn(given: unknown, symbol: symbol): boolean {
  return typeof given === 'object' && given !== null && symbol in given
}

async function* awaited(plan: CustomPlan, given: AsyncIterable<unknown>): AsyncGenerator<Items> {
  const iterator = given[Symbol.asyncIterator]()
  try {
    for (let index = 0; ; index++) {
      const next = await awaitCustom(plan, () => iterator.next())
      if (next.done) return
      yield item(plan, index, () => next.value)
    }
  } finally {
    await awaitCustom(plan, async () => iterator.return?.())
  }
}

async function* listed(plan: CustomPlan, given: Iterable<unknown>): AsyncGenerator<Items> {
  const iterator = given[Symbol.iterator]()
  try {
    for (let index = 0; ; index++) {
      const next = runCustom(plan, () => iterator.next())
      if (next.done) return
      yield item(plan, index, () => next.value)
    }
  } finally {
    iterator.return?.()
  }
}
