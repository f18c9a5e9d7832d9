/** Site and API on free ports, and requests to them exactly as written. */
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { testServices } from '../server/services.ts'
import { apiListener } from '../../src/server/server.ts'
import { type Limits, listen } from '../../src/site/listen.ts'
import { readSiteFiles } from '../../src/site/docs/read-docs.ts'
import { createSite, siteListener } from '../../src/site/site.ts'

/** Of this checkout. */
export const siteFiles = readSiteFiles('.')

export type Running = { baseUrl: string; apiUrl: string; [Symbol.asyncDispose](): Promise<void> }

/** Both know each other's address, as under `turnleaf serve`. */
export async function startBoth(limits: Partial<Limits> = {}): Promise<Running> {
  const site = await listen({ limits })
  const api = await listen({ limits })
  const facts = { baseUrl: site.url, apiUrl: api.url, version: '0.1.0' }
  site.serve(siteListener(createSite(facts, siteFiles)))
  const services = testServices()
  api.serve(apiListener(facts, services))
  return {
    baseUrl: site.url,
    apiUrl: api.url,
    async [Symbol.asyncDispose]() {
      await Promise.all([site.close(), api.close()])
      services[Symbol.dispose]()
    },
  }
}

export type Reply = { status: number; headers: IncomingHttpHeaders; body: string; bytes: Buffer }

type Asking = {
  method?: string
  /** Sent as it is, dots and all. */
  path?: string
  headers?: Record<string, string>
  body?: string
}

/** Unlike `fetch`, sends only the given headers. */
export async function ask(url: string, { method = 'GET', path, headers = {}, body }: Asking = {}): Promise<Reply> {
  const asking = request(url, { method, headers, agent: false, ...(path !== undefined && { path }) })
  if (body !== undefined) asking.setHeader('Content-Length', Buffer.byteLength(body))
  asking.end(body)
  const [incoming] = (await once(asking, 'response')) as [IncomingMessage]
  const bytes = await buffer(incoming)
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: bytes.toString(), bytes }
}

/** Writes bytes to a socket; gives back everything that came until the server closed it. */
export async function sendRaw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  // A server that refuses may close before everything is written.
  socket.on('error', () => {})
  socket.write(bytes)
  return text(socket)
}

/** A connection that stays open and says only this much. */
export async function holdOpen(url: string, bytes: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(bytes)
  return socket
}
