/** A folder of JSONL files for one test, read without the destination. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { jsonlDestination } from '../../../src/destinations/jsonl/jsonl.ts'
import type { JsonRecord } from '../../../src/engine/plan/plan.ts'
import { parseJson } from '../../../src/std/json.ts'
import type { Place } from '../behaviours.ts'

export async function jsonlPlace(): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'turnleaf-jsonl-'))
  const pathOf = (table: string) => join(folder, `${table}.jsonl`)
  return {
    destination: jsonlDestination(folder),
    async tables() {
      const files = await readdir(folder)
      return files.filter((file) => file.endsWith('.jsonl')).map((file) => basename(file, '.jsonl'))
    },
    async rows(table) {
      const text = await readFile(pathOf(table), 'utf8').catch(() => null)
      return text?.split('\n').slice(0, -1).map(rowOf) ?? null
    },
    makeForeign: async (table) => await writeFile(pathOf(table), 'not ours\n'),
    drop: async (table) => await rm(pathOf(table)),
    async dropStaged() {
      const connections = join(folder, '_turnleaf', 'connections')
      for (const connection of await readdir(connections)) {
        const staged = join(connections, connection, 'staged')
        for (const file of await readdir(staged)) await rm(join(staged, file))
      }
    },
    [Symbol.asyncDispose]: async () => await rm(folder, { recursive: true }),
  }
}

/** As the table of a database would give it back: without nulls, and the instant without its empty fraction. */
function rowOf(line: string): JsonRecord {
  const fields = Object.entries(parseJson(line).value as JsonRecord).filter(([, value]) => value !== null)
  const row = Object.fromEntries(fields)
  return { ...row, _turnleaf_extracted_at: String(row._turnleaf_extracted_at).replace('.000Z', 'Z') }
}
