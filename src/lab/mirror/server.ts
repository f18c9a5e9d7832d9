/** One real HTTP server that plays every API: a network that leads all hosts to it, and tells it whom was meant. */
import { createServer, type IncomingMessage } from 'node:http'
import { type Network, openNetwork } from '../../engine/response/send.ts'
import { bindServer, closeAtOnce } from '../../local-server.ts'
import type { Answer, Asked } from './asked.ts'
import { bytesOf } from './encode.ts'

export type Answerer = (asked: Asked) => Answer | null

export type AnsweringServer = {
  /** A network on which these answers are given, until the next one is opened. */
  network(answer: Answerer): Network
  [Symbol.asyncDispose](): Promise<void>
}

const originHeader = 'x-meant-origin'
const runHeader = 'x-run'

export async function openAnsweringServer(): Promise<AnsweringServer> {
  const answerers = new Map<string, Answerer>()
  const server = createServer(async (incoming, response) => {
    const asked = await askedOf(incoming)
    const answer = answerers.get(String(incoming.headers[runHeader]))?.(asked) ?? null
    if (answer === null) return response.writeHead(418).end(`nobody answers ${asked.method} ${asked.url.href}`)
    response.writeHead(200, { 'content-type': 'application/json', ...answer.headers }).end(bytesOf(answer.body))
  })
  const port = await bindServer(server, '127.0.0.1', 0)
  const shared = openNetwork()
  let runs = 0
  return {
    network(answer) {
      const run = String(++runs)
      answerers.set(run, answer)
      return { ...shared, send: sendThrough(shared, port, run), close: async () => void answerers.delete(run) }
    },
    async [Symbol.asyncDispose]() {
      await shared.close()
      await closeAtOnce(server)
    },
  }
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

async function askedOf(incoming: IncomingMessage): Promise<Asked> {
  let body = ''
  for await (const text of incoming.setEncoding('utf8')) body += String(text)
  const { [originHeader]: origin, [runHeader]: _, ...headers } = incoming.headers
  return { method: incoming.method ?? 'GET', url: new URL(`${String(origin)}${incoming.url ?? '/'}`), headers, body }
}
