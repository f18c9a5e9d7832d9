/** MCP over streamable HTTP: one session per client, bounded in number and in idle time. The API's guards come before it. */
import { randomUUID } from 'node:crypto'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js'
import { eventsType } from '../server/event-stream.ts'
import { readBodyText } from '../server/route.ts'
import type { RespondMcp } from '../server/services.ts'
import { ConnectorError } from '../std/errors.ts'
import { isList, isObject } from '../std/values/objects.ts'
import { createProtocolServer } from './protocol-server.ts'
import type { McpContext } from './tool.ts'

export type SessionLimits = { readonly most: number; readonly idleMs: number }

/** More than people have open; each is small. Clients start a new session where one has ended. */
const usualLimits: SessionLimits = { most: 64, idleMs: 30 * 60_000 }

type Session = {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly protocol: McpServer
  /** When its last request ended. */
  usedAt: number
  /** Requests that are being answered. */
  open: number
}

export function serveMcp(
  version: string,
  context: McpContext,
  { most, idleMs }: SessionLimits = usualLimits,
  now: () => number = Date.now,
): RespondMcp {
  const sessions = new Map<string, Session>()

  /** The longest idle first. */
  const idle = () =>
    [...sessions].filter(([, { open }]) => open === 0).toSorted(([, one], [, other]) => one.usedAt - other.usedAt)
  const end = (id: string) => {
    const session = sessions.get(id)
    sessions.delete(id)
    void session?.protocol.close()
  }
  const makeRoom = () => {
    for (const [id, { usedAt }] of idle()) if (now() - usedAt > idleMs) end(id)
    if (sessions.size < most) return
    const [longest] = idle()
    if (longest === undefined) {
      throw new ConnectorError('mcp/too-many-sessions', `${most} sessions are in use, which is the limit.`)
    }
    end(longest[0])
  }
  async function begin(): Promise<Session> {
    makeRoom()
    const protocol = createProtocolServer(version, context)
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, session),
      onsessionclosed: (id) => void sessions.delete(id),
    })
    const session: Session = { transport, protocol, usedAt: now(), open: 0 }
    await protocol.connect(transport)
    return session
  }

  return async (request) => {
    const { body, isUnreadable } =
      request.method === 'POST' ? await bodyOf(request) : { body: undefined, isUnreadable: false }
    if (isUnreadable) return rpcError(400, -32_700, 'The body is not JSON.')
    const id = request.headers.get('mcp-session-id')
    const known = id === null ? undefined : sessions.get(id)
    if (known === undefined && !(isList(body) ? body : [body]).some(isInitializeRequest)) {
      if (id !== null) return rpcError(404, -32_001, 'There is no such session. Initialize a new one.')
      return rpcError(400, -32_000, 'The first request of a session is `initialize`.')
    }
    const session = known ?? (await begin())
    return respondWith(session, request, body, now)
  }
}

async function respondWith(session: Session, request: Request, body: unknown, now: () => number): Promise<Response> {
  const { transport } = session
  const cancel = () => cancelAll(transport, body)
  request.signal.addEventListener('abort', cancel, { once: true })
  session.open++
  let isOver = false
  const over = () => {
    if (!isOver) session.open--
    isOver = true
    session.usedAt = now()
  }
  request.signal.addEventListener('abort', over, { once: true })
  try {
    const response = await transport.handleRequest(request, { parsedBody: body })
    return response.body === null ? (over(), response) : withEnd(response, over)
  } catch (error) {
    over()
    throw error
  }
}

/** Without this a read would continue for a client that has left: no one could get its result. */
function cancelAll(transport: WebStandardStreamableHTTPServerTransport, body: unknown): void {
  for (const message of isList(body) ? body : [body]) {
    if (!isObject(message) || (typeof message.id !== 'string' && typeof message.id !== 'number')) continue
    const params = { requestId: message.id, reason: 'The client disconnected.' }
    transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
  }
}

/** The same response; `over` is called once its body has been sent, or the client has left. */
function withEnd(response: Response, over: () => void): Response {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const isEvents = response.headers.get('content-type')?.startsWith(eventsType) === true
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // Headers leave with the first bytes: an empty comment, so that a client does not wait for the first event to get them.
      if (isEvents) controller.enqueue(new TextEncoder().encode(':\n\n'))
    },
    async pull(controller) {
      const { done, value } = await reader.read()
      if (!done) return controller.enqueue(value)
      over()
      controller.close()
    },
    async cancel(reason) {
      over()
      await reader.cancel(reason)
    },
  })
  return new Response(body, { status: response.status, headers: response.headers })
}

async function bodyOf(request: Request): Promise<{ body: unknown; isUnreadable: boolean }> {
  const text = await readBodyText(request)
  try {
    return { body: JSON.parse(text), isUnreadable: false }
  } catch {
    return { body: undefined, isUnreadable: true }
  }
}

function rpcError(status: number, code: number, message: string): Response {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }
  return new Response(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }), { status, headers })
}
