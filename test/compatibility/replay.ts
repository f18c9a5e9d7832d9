/** A server that answers recorded exchanges in order, and what was asked of it meanwhile. */
import { type AskedRequest, serveApi } from '../helpers/serve-api.ts'

export type RecordedRequest = {
  method: string
  path: string
  query: [string, string][]
  headers?: Record<string, string>
  body?: string
}
export type RecordedResponse = { status: number; body: string; headers?: Record<string, string> }
export type Exchange = { request: RecordedRequest; response: RecordedResponse }

export type ReplayServer = {
  readonly url: string
  /** Answers these from now on; what was asked before is forgotten. */
  play(exchanges: readonly Exchange[]): void
  asked(): RecordedRequest[]
  [Symbol.asyncDispose](): Promise<void>
}

/** Represents the server's address in manifests, configs, bodies and headers. */
export const placeholder = 'http://MOCK'

const nothingMore: RecordedResponse = { status: 400, body: '{"message":"nothing more was recorded"}' }

export async function startReplay(): Promise<ReplayServer> {
  let queue: Exchange[] = []
  const api = await serveApi({
    '*': () => {
      const { status, body, headers = {} } = queue.shift()?.response ?? nothingMore
      const placed = Object.entries(headers).map(([name, value]) => [name, value.replaceAll(placeholder, api.url)])
      return {
        status,
        text: body.replaceAll(placeholder, api.url),
        headers: { 'content-type': 'application/json', ...Object.fromEntries(placed) },
      }
    },
  })
  return {
    url: api.url,
    play(exchanges) {
      queue = [...exchanges]
      api.requests.length = 0
    },
    asked: () => api.requests.map((request) => recorded(request, api.url)),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  }
}

/** What HTTP itself adds was not recorded. */
const transportHeaders = [
  'host',
  'user-agent',
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'transfer-encoding',
]

function recorded({ method, path, query, headers, body }: AskedRequest, url: string): RecordedRequest {
  const own = Object.entries(headers).filter(([name]) => !transportHeaders.includes(name))
  const request = { method, path, query: [...query], headers: Object.fromEntries(own), ...(body !== '' && { body }) }
  return JSON.parse(JSON.stringify(request).replaceAll(url, placeholder)) as RecordedRequest
}
