/** A child process that serves what is very large, very small, or refused at first; prints its address, ends with its parent. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const rowsOfOne = 3000

/** `letter` decides whether the text is ASCII. */
function record(id: number, letter: string): string {
  return `{"id":${id},"name":"record ${id}","note":"${letter}${'x'.repeat(900)}"}`
}

async function serveLarge(response: ServerResponse, megabytes: number, letter: string): Promise<void> {
  const part = Buffer.from(Array.from({ length: 1000 }, (_, index) => record(index, letter)).join(','))
  const parts = Math.round((megabytes * 1e6) / part.length)
  response.write('{"data":[')
  for (let index = 0; index < parts; index++) {
    const isReady = response.write(index === 0 ? part : Buffer.concat([Buffer.from(','), part]))
    if (!isReady) await once(response, 'drain')
  }
  response.end(']}')
}

let firstAt = 0

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const [, kind, detail = ''] = pathname.split('/')
  response.setHeader('content-type', 'application/json')
  if (kind === 'large') return void serveLarge(response, Number(searchParams.get('mb')), detail === 'ascii' ? 'x' : '✓')
  if (kind === 'items') {
    const offset = Number(searchParams.get('offset') ?? 0)
    return void response.end(offset < rowsOfOne ? `{"data":[{"id":${offset + 1},"name":"record"}]}` : '{"data":[]}')
  }
  // Everything that comes within 300 ms of the first request is refused for a second.
  firstAt ||= Date.now()
  if (Date.now() - firstAt < 300) response.writeHead(429, { 'retry-after': '1' }).end('{}')
  else response.end(`{"data":[{"id":"${pathname}"}]}`)
})

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.on('disconnect', () => process.exit())
