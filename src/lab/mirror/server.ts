/** One real HTTP server in place of every API, and a network that routes all hosts to it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { type Network, openNetwork } from '../../engine/response/send.ts'
import { bindServer, closeAtOnce } from '../../std/http/local-server.ts'
import type { MirrorResponse, MirrorRequest } from './mirror-request.ts'
import { bodyBytes } from './encode.ts'

export type Answerer = (request: MirrorRequest) => MirrorResponse | null

export type AnsweringServer = {
  /** A network on which these answers are given, until the next one is opened. */
  network(answer: Answerer): Network
  /** Where another program gets these answers: it names the run and the origin that it means in two headers. */
  relay(answer: Answerer): Relay
  [Symbol.asyncDispose](): Promise<void>
}

export type Relay = { readonly port: number; readonly run: string; readonly close: () => void }

const originHeader = 'x-meant-origin'
const runHeader = 'x-run'

export async function openAnsweringServer(): Promise<AnsweringServer> {
  const answerers = new Map<string, Answerer>()
  const answerOf = (request: MirrorRequest, run: unknown) => answerers.get(String(run))?.(request) ?? null
  const server = createServer((incoming, response) => {
    // A client that disconnected during its request gets no response.
    serve(incoming, response, answerOf).catch(() => response.destroy())
  })
  const port = await bindServer(server, '127.0.0.1', 0)
  const shared = openNetwork()
  let runs = 0
  const relay = (answer: Answerer): Relay => {
    const run = String(++runs)
    answerers.set(run, answer)
    return { port, run, close: () => answerers.delete(run) }
  }
  return {
    relay,
    network(answer) {
      const { run, close } = relay(answer)
      return { ...shared, send: sendThrough(shared, port, run), close: async () => close() }
    },
    async [Symbol.asyncDispose]() {
      await shared.close()
      await closeAtOnce(server)
    },
  }
}

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  answerOf: (request: MirrorRequest, run: unknown) => MirrorResponse | null,
): Promise<void> {
  const request = await askedOf(incoming)
  const answer = answerOf(request, incoming.headers[runHeader])
  if (answer === null) {
    response.writeHead(418).end(`no endpoint answers ${request.method} ${request.url.href}`)
    return
  }
  const { status = 200, headers, body, isSlow = false } = answer
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  if (isSlow) await writeSlowly(response, bodyBytes(body))
  else response.end(bodyBytes(body))
}

const pieceCount = 20

/** Piece by piece. How long that may take is for the network's limits to judge, so no time is spent on it here. */
async function writeSlowly(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  const length = Math.ceil(bytes.length / pieceCount)
  for (let start = 0; start < bytes.length; start += length) {
    response.write(bytes.subarray(start, start + length))
    await setImmediate()
  }
  response.end()
}

function sendThrough(network: Network, port: number, run: string): Network['send'] {
  return async (request, signal) => {
    const meant = new URL(request.url)
    const url = `http://127.0.0.1:${port}${meant.pathname}${meant.search}`
    const headers = { ...request.headers, [originHeader]: meant.origin, [runHeader]: run }
    const response = await network.send({ ...request, url, headers }, signal)
    return { ...response, url: request.url }
  }
}

async function askedOf(incoming: IncomingMessage): Promise<MirrorRequest> {
  let body = ''
  for await (const text of incoming.setEncoding('utf8')) body += String(text)
  const { [originHeader]: origin, [runHeader]: _, ...headers } = incoming.headers
  return { method: incoming.method ?? 'GET', url: new URL(`${String(origin)}${incoming.url ?? '/'}`), headers, body }
}
