/** Records a second into each destination against reading alone, and memory that does not grow with their number. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { offsetManifest } from './manifests.ts'
import { median } from './median.ts'
import { measureApart, startServer } from './processes.ts'
import { availablePlaces, pagesOf, placeOf, readAlone, records, syncTo } from './sync-places.ts'

const rounds = 5

/** Processor time is that of this process, all threads: on a busy machine it says more than the clock. */
type Measured = { readonly seconds: number; readonly cpuSeconds: number }

async function measure(work: () => Promise<number>): Promise<Measured> {
  const [started, cpu] = [performance.now(), process.cpuUsage()]
  const count = await work()
  if (count !== records) throw new Error(`${count} records instead of ${records}`)
  const { user, system } = process.cpuUsage(cpu)
  return { seconds: (performance.now() - started) / 1000, cpuSeconds: (user + system) / 1e6 }
}

/** One after the other, round by round, so that a noisy neighbour disturbs all alike; the first round warms up. */
async function throughput(url: string, names: readonly string[]): Promise<void> {
  const alone: Measured[] = []
  const written = new Map(names.flatMap((name) => [name, bareOf(name)]).map((name): [string, Measured[]] => [name, []]))
  for (let round = 0; round <= rounds; round++) {
    const read = await measure(() => readAlone(url))
    if (round > 0) alone.push(read)
    for (const name of names) {
      await using place = await placeOf(name)
      const synced = await measure(() => syncTo(place.to, url))
      await using barePlace = await placeOf(name)
      const bare = await measure(() => barePlace.writeBare(pagesOf(url)))
      if (round === 0) continue
      written.get(name)?.push(synced)
      written.get(bareOf(name))?.push(bare)
    }
  }
  const row = (name: string, measured: readonly Measured[]) => {
    const against = (of: (one: Measured) => number) =>
      median(measured.map((one, round) => of(alone[round] as Measured) / of(one))).toFixed(2)
    const rate = (records / median(measured.map(({ seconds }) => seconds))).toFixed(0).padStart(7)
    const cpu = median(measured.map(({ cpuSeconds }) => cpuSeconds)).toFixed(2)
    const ratios = `${against(({ seconds }) => seconds)}   ${cpu} s of processor time   ${against((one) => one.cpuSeconds)}`
    console.log(`  ${name.padEnd(24)}${rate} records/s   ${ratios}`)
  }
  row('reading alone', alone)
  for (const [name, measured] of written) row(name, measured)
}

const bareOf = (name: string) => `${name}, bare program`

type Memory = { readonly seconds: number; readonly heap: number; readonly resident: number }

/** Twice: collecting garbage often shows what is in use, and keeps the process smaller than `turnleaf sync` is. */
async function memoryOf(url: string, name: string, count: number): Promise<Memory> {
  await using first = await placeOf(name)
  const heap = Number(await measureApart('sync-memory.js', url, first.to, String(count)))
  await using second = await placeOf(name)
  const started = performance.now()
  const resident = await residentOfCli(url, second.to, count)
  return { heap, resident, seconds: (performance.now() - started) / 1000 }
}

/** Of the command as it ships. */
async function residentOfCli(url: string, to: string, count: number): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-bench-'))
  try {
    const [manifest, peak] = [join(folder, 'manifest.json'), join(folder, 'peak')]
    await writeFile(manifest, JSON.stringify(offsetManifest(url, count)))
    const args = [
      '--import',
      './build/benchmarks/print-peak.js',
      'bin/turnleaf.js',
      'sync',
      '--manifest-path',
      manifest,
    ]
    await promisify(execFile)(process.execPath, [...args, '--to', to], { env: { ...process.env, PEAK_FILE: peak } })
    return Number(await readFile(peak, 'utf8'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

export async function benchmarkSync(): Promise<void> {
  const { url, stop } = await startServer('page-server.js')
  try {
    console.log(`syncing 1,000 pages × 100 records of 1 KB, medians of ${rounds} rounds`)
    const names = await availablePlaces()
    await throughput(url, names)
    console.log('peak memory of a sync, in a process of its own: heap after collection; of `turnleaf sync`, resident')
    for (const name of names) {
      for (const count of [100_000, 1_000_000]) {
        const { heap, resident, seconds } = await memoryOf(url, name, count)
        const shown = `${heap.toFixed(1)} MB, ${resident.toFixed(0)} MB (${seconds.toFixed(1)} s)`
        console.log(`  ${name.padEnd(10)}${count.toLocaleString('en').padStart(9)} records   ${shown}`)
      }
    }
  } finally {
    stop()
  }
}
