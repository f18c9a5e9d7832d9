/** Decoders alone, without the network, against the shortest program for a body that fits into memory. */
import { decodeParts } from '../src/engine/response/decode-response.ts'
import { loadManifest, planStream } from '../src/index.ts'
import { downloadManifest } from './manifests.ts'

const filler = 'x'.repeat(380)
const count = 40_000
const chunkBytes = 64 * 1024

const rows = {
  jsonl: (id: number) => `{"id":${id},"name":"record ${id}","amount":${id}.25,"note":"${filler}"}\n`,
  csv: (id: number) => `${id},"record ""${id}""",${id}.25,${filler}\n`,
  items: (id: number) =>
    `${id === 1 ? '' : ','}{"id":${id},"name":"record ${id}","amount":${id}.25,"note":"${filler}"}`,
}
type Format = keyof typeof rows

function textOf(format: Format): string {
  const body = Array.from({ length: count }, (_, index) => rows[format](index + 1)).join('')
  if (format === 'csv') return `id,name,amount,note\n${body}`
  return format === 'items' ? `{"data":[${body}]}` : body
}

async function* inChunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

function decoding(format: Format): () => Promise<number> {
  const bytes = new TextEncoder().encode(textOf(format))
  const { decoder: plan } = planStream(
    loadManifest(downloadManifest('http://api.invalid', 'plain', format, 1)),
    undefined,
    {},
  )
  return async () => {
    const stream = { chunks: inChunks(bytes), discard() {} }
    const response = { status: 200, url: 'http://api.invalid', headers: {}, body: new Uint8Array(), stream }
    let items = 0
    for await (const { value } of decodeParts({ plan, custom: null, maxBytes: 2 ** 28 }, response, false)) {
      items += (value as unknown[]).length
    }
    return items
  }
}

/** The whole body as one text, cut at its line ends, each line parsed. */
function parsingLines(): () => Promise<number> {
  const bytes = new TextEncoder().encode(textOf('jsonl'))
  return async () => {
    const lines = new TextDecoder().decode(bytes).split('\n').slice(0, -1)
    return lines.map((line) => JSON.parse(line) as unknown).length
  }
}

/** Processor time, which neighbours disturb less than the clock on the wall. */
async function cpuMs(decode: () => Promise<number>): Promise<number> {
  const started = process.cpuUsage()
  const items = await decode()
  if (items !== count) throw new Error(`decoded ${items} items instead of ${count}`)
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}

export async function benchmarkDecoding(): Promise<void> {
  const ways = { bare: parsingLines(), jsonl: decoding('jsonl'), csv: decoding('csv'), items: decoding('items') }
  const best = { bare: Infinity, jsonl: Infinity, csv: Infinity, items: Infinity }
  for (let round = 0; round < 8; round++) {
    for (const [name, decode] of Object.entries(ways) as [keyof typeof ways, () => Promise<number>][]) {
      best[name] = Math.min(best[name], await cpuMs(decode))
    }
  }
  console.log(`decoding ${count.toLocaleString('en')} records of 0.4 KB, best of 8 rounds; bare: split and JSON.parse`)
  for (const [name, ms] of Object.entries(best)) {
    console.log(`  ${name.padEnd(8)}${ms.toFixed(0)} ms   ${(best.bare / ms).toFixed(2)}`)
  }
}
