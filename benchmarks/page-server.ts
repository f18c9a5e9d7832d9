/** A child process that serves pages of 100 records of about 1 KB, by offset, after as many ms as `delay` says, with whole floats where `whole` is given; prints its address, ends with its parent. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const filler = 'x'.repeat(880)

function record(id: number, cents: string): string {
  return `{"id":${id},"name":"record ${id}","amount":${id}.${cents},"active":true,"tags":["a","b"],"note":"${filler}","nested":{"city":"Bern","zip":"3000"}}`
}

const server = createServer((request, response) => {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams
  const offset = Number(query.get('offset') ?? 0)
  const total = Number(query.get('total') ?? 100_000)
  const count = Math.max(0, Math.min(100, total - offset))
  const cents = query.has('whole') ? '0' : '25'
  const records = Array.from({ length: count }, (_, index) => record(offset + index + 1, cents))
  const body = `{"data":[${records.join(',')}],"meta":{"next_token":"t${offset + count}"}}`
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  const delay = Number(query.get('delay') ?? 0)
  if (delay === 0) response.end(body)
  else setTimeout(() => response.end(body), delay)
})

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.on('disconnect', () => process.exit())
