/** A shape → a real server on 127.0.0.1 that remembers what it was asked, and how a client that knows its address asks it. */
import { type AskedRequest, type ServedApi, serveApi } from '../../../helpers/serve-api.ts'
import { answerShape } from './answer.ts'
import { recordsOf, type ShapeRecord } from './records.ts'
import type { Shape } from './shape.ts'

export type ServedShape = {
  /** The address as a user would give it to detection. */
  readonly url: string
  readonly origin: string
  readonly records: readonly ShapeRecord[]
  /** One line per request. */
  readonly asked: readonly string[]
  readonly requests: readonly AskedRequest[]
  [Symbol.asyncDispose](): Promise<void>
}

export async function serveShape(shape: Shape): Promise<ServedShape> {
  const records = recordsOf(shape)
  const api: ServedApi = await serveApi({ '*': (_, asked) => answerShape(shape, records, asked).answer })
  const search = new URLSearchParams(shape.given.query)
  return {
    url: `${api.url}${shape.path}${search.size === 0 ? '' : `?${search.toString()}`}`,
    origin: api.url,
    records,
    asked: api.asked,
    requests: api.requests,
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  }
}
