/** Pages a second and processor time a page against a bare loop, memory over many pages, time to the first record. */
import { spawn } from 'node:child_process'
import { rm, writeFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadManifest, readPages, readRecords } from '../src/index.ts'
import { bareLoop } from './bare-loop.ts'
import { offsetManifest } from './manifests.ts'
import { median } from './median.ts'
import { measureApart, startServer } from './processes.ts'

const pageSize = 100

async function pagesOnly(url: string, pages: number, path = '/items'): Promise<number> {
  let count = 0
  const manifest = loadManifest(offsetManifest(url, pages * pageSize, { path }))
  for await (const { records } of readPages(manifest, { prefetch: 1 })) count += records.length
  return count
}

async function engine(url: string, pages: number, prefetch: 'auto' | 1, delayMs = 0): Promise<number> {
  let count = 0
  const manifest = loadManifest(offsetManifest(url, pages * pageSize, { delayMs }))
  for await (const _record of readRecords(manifest, { stream: 'items', prefetch })) count++
  return count
}

async function pagesPerSecond(read: () => Promise<number>, pages: number): Promise<number> {
  const started = performance.now()
  const count = await read()
  if (count !== pages * pageSize) throw new Error(`read ${count} records instead of ${pages * pageSize}`)
  return pages / ((performance.now() - started) / 1000)
}

/** `processor`: µs a page of this process, its compiling and collecting included; what others do counts less than in the rate. */
type Speed = { readonly rate: number; readonly processor: number }
type Speeds = {
  readonly bare: Speed
  readonly pages: Speed
  readonly floats: Speed
  readonly sequential: Speed
  readonly ahead: Speed
}

async function speedOf(read: () => Promise<number>, pages: number): Promise<Speed> {
  const before = process.cpuUsage()
  const rate = await pagesPerSecond(read, pages)
  const { user, system } = process.cpuUsage(before)
  return { rate, processor: (user + system) / pages }
}

/** One after the other, round by round, so that a noisy neighbour disturbs all alike; the first round warms up. */
async function throughput(url: string, pages: number, rounds: number): Promise<Speeds[]> {
  const measured: Speeds[] = []
  for (let round = 0; round <= rounds; round++) {
    const bare = await speedOf(() => bareLoop(url, { total: pages * pageSize }), pages)
    const byPage = await speedOf(() => pagesOnly(url, pages), pages)
    const floats = await speedOf(() => pagesOnly(url, pages, '/items?whole=1'), pages)
    const sequential = await speedOf(() => engine(url, pages, 1), pages)
    const ahead = await speedOf(() => engine(url, pages, 'auto'), pages)
    if (round > 0) measured.push({ bare, pages: byPage, floats, sequential, ahead })
  }
  return measured
}

/** An API that takes its time: one request at a time, and pages ahead. */
async function withLatency(url: string, delayMs: number, pages: number): Promise<void> {
  const bare = await pagesPerSecond(() => bareLoop(url, { total: pages * pageSize, delayMs }), pages)
  const sequential = await pagesPerSecond(() => engine(url, pages, 1, delayMs), pages)
  const ahead = await pagesPerSecond(() => engine(url, pages, 'auto', delayMs), pages)
  console.log(`reading ${pages} pages, responses after ${delayMs} ms`)
  const row = (name: string, rate: number) =>
    console.log(`  ${name.padEnd(32)}${rate.toFixed(1)} pages/s   ${(rate / bare).toFixed(2)}`)
  row('bare undici + JSON.parse loop', bare)
  row('readRecords, one at a time', sequential)
  row('readRecords', ahead)
}

/** Peak heap in use while reading, after a collection, sampled from within a process of its own. */
async function peakMemory(url: string, pages: number): Promise<number> {
  return Number(await measureApart('peak-memory.js', url, String(pages)))
}

async function firstRecordMs(url: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-bench-'))
  const path = join(folder, 'manifest.json')
  await writeFile(path, JSON.stringify(offsetManifest(url, 100_000)))
  const started = performance.now()
  const child = spawn(process.execPath, ['bin/turnleaf.js', 'read', '--manifest-path', path, '--stream', 'items'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let seen = ''
  for await (const chunk of child.stdout) {
    seen += String(chunk)
    if (seen.includes('"type":"RECORD"')) break
  }
  const took = performance.now() - started
  child.kill('SIGKILL')
  await rm(folder, { recursive: true })
  return took
}

export async function benchmarkReading(): Promise<void> {
  const { url, stop } = await startServer('page-server.js')
  try {
    const rounds = await throughput(url, 1000, 7)
    const row = (name: string, speed: (round: Speeds) => Speed) => {
      const middle = (figure: (round: Speeds) => number, digits = 0) => median(rounds.map(figure)).toFixed(digits)
      const rate = `${middle((round) => speed(round).rate)} pages/s   ${middle((round) => speed(round).rate / round.bare.rate, 2)}`
      const processor = `${middle((round) => speed(round).processor)} µs of processor time a page   ${middle((round) => round.bare.processor / speed(round).processor, 2)}`
      console.log(`  ${name.padEnd(32)}${rate}   ${processor}`)
    }
    console.log('reading 1,000 pages × 100 records of 1 KB, medians of 7 rounds')
    row('bare undici + JSON.parse loop', ({ bare }) => bare)
    row('readPages, one at a time', ({ pages }) => pages)
    row('the same, with whole floats', ({ floats }) => floats)
    row('readRecords, one at a time', ({ sequential }) => sequential)
    row('readRecords', ({ ahead }) => ahead)
    await withLatency(url, 20, 500)
    await withLatency(url, 100, 300)
    const [short, long] = [await peakMemory(url, 1000), await peakMemory(url, 10_000)]
    console.log(
      `peak heap after collection: ${short.toFixed(1)} MB at 1,000 pages, ${long.toFixed(1)} MB at 10,000 pages`,
    )
    const starts: number[] = []
    for (let round = 0; round < 5; round++) starts.push(await firstRecordMs(url))
    console.log(`process start to first record: ${median(starts).toFixed(0)} ms (median of 5)`)
  } finally {
    stop()
  }
}
