/** The lab as a server: a thin shell around `answerLab`. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { ConnectorError } from '../std/errors.ts'
import { bindServer, closeAtOnce } from '../std/http/local-server.ts'
import { answerLab, bodyLimitBytes, usualRecordCount } from './answer.ts'
import type { LabRequest } from './exchange.ts'
import type { LabResponse } from './faults/fault.ts'

export type Lab = {
  /** `http://127.0.0.1:8082`, without a slash at the end. */
  url: string
  port: number
  /** Ends open connections at once. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export type LabOptions = {
  /** 0, the default, takes a free one. */
  port?: number
  host?: string
  /** Records per dataset. */
  size?: number
  /** Gets one line per request. */
  log?: (line: string) => void
}

/** Starts a lab. `await using lab = await startLab()` ends it with the scope. */
export async function startLab({
  port = 0,
  host = '127.0.0.1',
  size = usualRecordCount,
  log,
}: LabOptions = {}): Promise<Lab> {
  const isFirstTime = createFirstTimes()
  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing, { size, isFirstTime, log }).catch((error: unknown) => {
      // The client left in the middle of its request.
      if (incoming.destroyed && !incoming.complete) return
      send(outgoing, brokenResponse(error))
    })
  })
  // Longer than clients keep theirs, so that none sends into a connection that is just closing.
  server.keepAliveTimeout = 60_000
  const bound = await listen(server, port, host)
  const close = () => closeAtOnce(server)
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** The port it got. */
async function listen(server: Server, port: number, host: string): Promise<number> {
  try {
    return await bindServer(server, host, port)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    throw new ConnectorError('lab/port-taken', `Port ${port} on ${host} is taken.`, { cause: error })
  }
}

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { log, ...context }: Pick<LabRequest, 'size' | 'isFirstTime'> & { log: LabOptions['log'] },
): Promise<void> {
  const response = answerLab({ ...(await readRequest(incoming)), ...context })
  log?.(`${incoming.method} ${withoutKey(incoming.url ?? '')} → ${response.status}`)
  if (response.delayMs > 0) await pause(response.delayMs)
  if (response.paceMs === undefined) send(outgoing, response)
  else await trickle(outgoing, response, response.paceMs)
}

async function readRequest(incoming: IncomingMessage): Promise<LabRequest> {
  const [, path = '/', query = ''] = /^([^?]*)\??(.*)$/s.exec(incoming.url ?? '/') ?? []
  const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
  return {
    method: incoming.method ?? 'GET',
    path,
    query: new URLSearchParams(query),
    headers: Object.fromEntries(headers),
    body: await readBody(incoming),
  }
}

/** Stops once the limit is passed; what was read is then too long, and `answerLab` refuses it. */
async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  // Destroying the stream would take the socket along, and the refusal with it.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > bodyLimitBytes) break
  }
  return Buffer.concat(chunks).toString()
}

function send(outgoing: ServerResponse, { status, headers, body }: LabResponse): void {
  if (outgoing.headersSent) return
  outgoing.writeHead(status, headers).end(body)
}

/** Pieces of a body that trickles: enough to keep a reader waiting, few enough to end. */
const pieces = 20

async function trickle(
  outgoing: ServerResponse,
  { status, headers, body }: LabResponse,
  paceMs: number,
): Promise<void> {
  outgoing.writeHead(status, headers)
  const bytes = Buffer.from(body)
  const length = Math.max(1, Math.ceil(bytes.length / pieces))
  for (let start = 0; start < bytes.length && !outgoing.destroyed; start += length) {
    outgoing.write(bytes.subarray(start, start + length))
    await pause(paceMs)
  }
  outgoing.end()
}

function brokenResponse(error: unknown): LabResponse {
  const body = JSON.stringify({ error: { message: `The lab failed: ${String(error)}` } })
  return { status: 500, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body, delayMs: 0 }
}

/** Does not keep the process alive. */
function pause(waitMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, waitMs).unref())
}

function withoutKey(url: string): string {
  return url.replace(/(api_key=)[^&]*/g, '$1…')
}

/** How many requests are remembered; the oldest are dropped, so that memory is bounded. */
const remembered = 10_000

/** True the first time, false the second, and so on: a second read gets the same responses. */
export function createFirstTimes(limit = remembered): (question: string) => boolean {
  const open = new Set<string>()
  return (question) => {
    if (open.delete(question)) return false
    open.add(question)
    if (open.size > limit) open.delete(open.values().next().value as string)
    return true
  }
}
