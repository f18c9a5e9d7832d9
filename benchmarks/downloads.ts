/** Large bodies that are read as they arrive: speed, and memory that does not grow with their size. */
import { measureApart, startServer } from './processes.ts'

type Measured = { seconds: number; records: number; heap: number; resident: number }

async function measure(url: string, packing: string, format: string, megabytes: number): Promise<Measured> {
  return JSON.parse(await measureApart('download-memory.js', url, packing, format, String(megabytes))) as Measured
}

const cases = [
  ['plain', 'jsonl', 50],
  ['plain', 'jsonl', 500],
  ['gzip', 'jsonl', 500],
  ['plain', 'csv', 500],
  ['plain', 'items', 500],
] as const

export async function benchmarkDownloads(): Promise<void> {
  const { url, stop } = await startServer('download-server.js')
  console.log('downloads, records of 0.4 KB')
  try {
    for (const [packing, format, megabytes] of cases) {
      const { seconds, records, heap, resident } = await measure(url, packing, format, megabytes)
      const rate = `${(megabytes / seconds).toFixed(0)} MB/s, ${records.toLocaleString('en')} records`
      const memory = `heap after collection ${heap.toFixed(1)} MB, resident ${resident.toFixed(0)} MB`
      console.log(`  ${packing} ${format}, ${megabytes} MB: ${rate}, ${memory}`)
    }
  } finally {
    stop()
  }
}
