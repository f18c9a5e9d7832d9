/** The lab as a server: ports, connections, limits. */
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { Agent, get } from 'node:http'
import { test } from 'node:test'
import { startLab } from '../../src/lab/lab.ts'

test('it serves on a free port of this machine only, and logs one line per request', async () => {
  const lines: string[] = []
  await using lab = await startLab({ size: 3, log: (line) => lines.push(line) })
  assert.match(lab.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  const response = await fetch(`${lab.url}/secure/key/offset?api_key=leaf-key&limit=2`)
  const body: unknown = await response.json()
  assert.ok(typeof body === 'object' && body !== null && 'total' in body && body.total === 3)
  assert.deepEqual(lines, ['GET /secure/key/offset?api_key=…&limit=2 → 200'])
})

test('a taken port is an error of its own', async () => {
  await using lab = await startLab()
  await assert.rejects(startLab({ port: lab.port }), { code: 'lab/port-taken', message: new RegExp(String(lab.port)) })
})

test('connections are kept alive', async () => {
  await using lab = await startLab()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ports = new Set<number | undefined>()
  for (let turn = 0; turn < 3; turn++) {
    ports.add(
      await new Promise<number | undefined>((resolve, reject) => {
        get(`${lab.url}/offset?limit=1`, { agent }, (response) => {
          const { localPort } = response.socket
          response.resume().on('end', () => setImmediate(resolve, localPort))
        }).on('error', reject)
      }),
    )
  }
  agent.destroy()
  assert.equal(ports.size, 1)
})

test('closing ends a request that waits, at once, and twice is as good as once', async () => {
  const arrivals = new EventEmitter()
  const arrived = once(arrivals, 'request')
  const lab = await startLab({ log: () => arrivals.emit('request') })
  const waiting = assert.rejects(fetch(`${lab.url}/offset?latency=5000`))
  await arrived
  await lab.close()
  await waiting
  await lab.close()
})

test('a body beyond the limit is refused, and the lab continues', async () => {
  await using lab = await startLab()
  const response = await fetch(`${lab.url}/search`, { method: 'POST', body: ' '.repeat(5 * 1024 * 1024) })
  assert.equal(response.status, 413)
  await response.text()
  assert.equal((await fetch(`${lab.url}/health`)).status, 200)
})

test('a HEAD has the headers of a GET', async () => {
  await using lab = await startLab()
  const head = await fetch(`${lab.url}/link`, { method: 'HEAD' })
  const full = await fetch(`${lab.url}/link`)
  assert.equal(head.headers.get('content-length'), String((await full.arrayBuffer()).byteLength))
  assert.equal(head.headers.get('link'), full.headers.get('link'))
  assert.equal(await head.text(), '')
})
