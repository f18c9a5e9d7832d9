/**
 * A child process that serves records by offset and does as little else as it can: a page is made once and kept. `/plain/3` and
 * `/wide/3` are part 3; ids are different in all parts. `delay` is how many ms a response takes. Prints its address, ends with its parent.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { recordText, type Shape } from './records.ts'

const bodies = new Map<string, Buffer>()

type Page = { readonly shape: Shape; readonly part: number; readonly total: number; readonly offset: number }

function bodyOf({ shape, part, total, offset }: Page, limit: number): Buffer {
  const key = `${shape}/${part}/${total}/${offset}/${limit}`
  const kept = bodies.get(key)
  if (kept !== undefined) return kept
  const count = Math.max(0, Math.min(limit, total - offset))
  const records = Array.from({ length: count }, (_, index) => recordText(shape, part * total + offset + index + 1))
  const body = Buffer.from(`{"total":${total},"data":[${records.join(',')}]}`)
  bodies.set(key, body)
  return body
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const [, shape, part] = pathname.split('/')
  const number = (name: string) => Number(searchParams.get(name) ?? 0)
  const page = { shape: shape as Shape, part: Number(part), total: number('total'), offset: number('offset') }
  const body = bodyOf(page, number('limit'))
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': body.length,
    'x-total-count': page.total,
  })
  const delay = number('delay')
  if (delay === 0) response.end(body)
  else setTimeout(() => response.end(body), delay)
})
// A reader may be idle while the others have their turn.
server.keepAliveTimeout = 600_000

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.on('disconnect', () => process.exit())
