/** A child process that serves one body of any size, in any format of items; prints its address, ends with its parent. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline, Readable, type Transform } from 'node:stream'
import { createGzip } from 'node:zlib'

const filler = 'x'.repeat(380)

const formats: Record<string, { head: string; row: (id: number) => string; tail: string }> = {
  jsonl: {
    head: '',
    row: (id) => `{"id":${id},"name":"record ${id}","amount":${id}.25,"note":"${filler}"}\n`,
    tail: '',
  },
  csv: { head: 'id,name,amount,note\n', row: (id) => `${id},"record ""${id}""",${id}.25,${filler}\n`, tail: '' },
  items: {
    head: '{"data":[',
    row: (id) => `${id === 1 ? '' : ','}{"id":${id},"name":"record ${id}","amount":${id}.25,"note":"${filler}"}`,
    tail: ']}',
  },
}

function* body(format: string, megabytes: number): Generator<string> {
  const { head, row, tail } = formats[format] as (typeof formats)[string]
  yield head
  let [left, id] = [megabytes * 2 ** 20, 0]
  while (left > 0) {
    const rows = Array.from({ length: 100 }, () => row(++id)).join('')
    left -= rows.length
    yield rows
  }
  yield tail
}

const server = createServer((request, response) => {
  const [, packing, format, megabytes] = (request.url ?? '').split('/')
  response.writeHead(200)
  const rows = Readable.from(body(format ?? '', Number(megabytes)), { objectMode: false, highWaterMark: 2 ** 18 })
  const packers: Transform[] = packing === 'gzip' ? [createGzip({ level: 1 })] : []
  pipeline([rows, ...packers, response], () => {})
})

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
process.on('disconnect', () => process.exit())
