/** Routes → a real HTTP server on a free port that remembers what it was asked. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export type AskedRequest = {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  body: string
}

/** `raw` takes over the response: for servers that hang, reset, truncate or dribble. */
export type Answer = {
  status?: number
  headers?: Record<string, string | string[]>
  json?: unknown
  text?: string
  raw?: (response: ServerResponse) => void
}

export type Handler = (query: URLSearchParams, request: AskedRequest) => Answer | Promise<Answer>

export type ServedApi = {
  url: string
  /** One line per request, in order: `GET /orders?offset=2`. */
  asked: string[]
  requests: AskedRequest[]
  /** How many sockets were opened so far. */
  connections: () => number
  /** Ends every open socket, as a server does with idle ones. */
  closeConnections: () => Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Serves each route by its method and path; `*` takes the rest, and what nothing takes is a 404.
 *
 * @example await using api = await serveApi({ 'GET /orders': () => ({ json: { data: [] } }) })
 */
export async function serveApi(routes: Record<string, Handler>): Promise<ServedApi> {
  const asked: string[] = []
  const requests: AskedRequest[] = []
  const open = new Set<Socket>()
  let connections = 0

  const server = createServer(async (incoming, response) => {
    let body = ''
    for await (const text of incoming.setEncoding('utf8')) body += String(text)
    const method = incoming.method ?? 'GET'
    const { pathname: path, searchParams: query } = new URL(incoming.url ?? '/', 'http://any')
    const request = { method, path, query, headers: incoming.headers, body }
    asked.push(`${method} ${incoming.url}`)
    requests.push(request)
    const route = routes[`${method} ${path}`] ?? routes['*'] ?? (() => ({ status: 404, text: 'no such route' }))
    try {
      answer(response, await route(query, request))
    } catch (error) {
      answer(response, { status: 500, text: String(error) })
    }
  })
  server.on('connection', (socket) => {
    connections++
    open.add(socket.on('close', () => open.delete(socket)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const closeConnections = async () => {
    await Promise.all([...open].map((socket) => once(socket.destroy(), 'close')))
  }

  return {
    url: `http://127.0.0.1:${address.port}`,
    asked,
    requests,
    connections: () => connections,
    closeConnections,
    async [Symbol.asyncDispose]() {
      await closeConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function answer(response: ServerResponse, { status = 200, headers = {}, json, text, raw }: Answer): void {
  if (raw !== undefined) return raw(response)
  if (json !== undefined && !('content-type' in headers)) response.setHeader('content-type', 'application/json')
  response.writeHead(status, headers).end(json === undefined ? text : JSON.stringify(json))
}
