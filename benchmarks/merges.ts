/** Merging as many rows as the table has: seconds, and what it takes of memory. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureApart } from './processes.ts'

const destinations: Readonly<Record<string, (folder: string) => string>> = {
  DuckDB: (folder) => `duckdb:${join(folder, 'bench.duckdb')}`,
  Parquet: (folder) => `parquet:${folder}`,
}

type Merges = { readonly first: number; readonly second: number; readonly resident: number }

export async function benchmarkMerges(): Promise<void> {
  console.log('merging rows into an empty table, and as many into that one, each destination in a process of its own')
  for (const [name, addressIn] of Object.entries(destinations)) {
    for (const count of [1_000_000, 4_000_000]) {
      const folder = await mkdtemp(join(tmpdir(), 'turnleaf-bench-'))
      try {
        const printed = await measureApart('merge.js', addressIn(folder), String(count))
        const { first, second, resident } = JSON.parse(printed) as Merges
        const shown = `${first.toFixed(1)} s, ${second.toFixed(1)} s, ${resident.toFixed(0)} MB`
        console.log(`  ${name.padEnd(10)}${count.toLocaleString('en').padStart(9)} rows   ${shown}`)
      } finally {
        await rm(folder, { recursive: true })
      }
    }
  }
}
