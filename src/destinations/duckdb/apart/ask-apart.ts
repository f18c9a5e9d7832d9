/**
 * A question in SQL → its answer, worked out in a process of its own.
 *
 * Only one process may have a DuckDB file open while it is written. So a file that no sync of this process has open is
 * opened read-only by the other process; a sync that begins meanwhile ends it, and the question is asked again. Of a
 * file that a sync has open the other process gets a copy, made between two commits.
 */
import { realpath, rm } from 'node:fs/promises'
import { totalmem } from 'node:os'
import type { QueryOptions, QueryResult } from '../../destination.ts'
import { betweenCommits, whileNobodyWrites } from '../database.ts'
import { nothingThere } from '../failures.ts'
import { copyDatabase } from './copy-file.ts'
import type { QueryLimits } from './job.ts'
import { makeQueryFolder } from './query-folder.ts'
import { runProcess } from './run-process.ts'

export type ApartOptions = Pick<QueryOptions, 'signal'> & { readonly limits?: Partial<QueryLimits> }

export async function askApart(
  given: string,
  address: string,
  sql: string,
  limit: number,
  { signal, limits = {} }: ApartOptions = {},
): Promise<QueryResult> {
  const database = await realpath(given).catch(() => null)
  if (database === null) throw nothingThere(address)
  const spillFolder = await makeQueryFolder(database)
  const job = { address, spillFolder, sql, limit, limits: { ...usualLimits(), ...limits } }
  try {
    for (;;) {
      const until = signal ?? new AbortController().signal
      const copy = await betweenCommits(database, () => copyDatabase(database, spillFolder, address))
      if (copy !== null) return await runProcess({ ...job, file: copy }, until)
      const answer = await whileNobodyWrites(database, (taken) =>
        runProcess({ ...job, file: database }, AbortSignal.any([until, taken])),
      )
      if (answer !== null) return answer
    }
  } finally {
    await rm(spillFolder, { recursive: true, force: true })
  }
}

/** A quarter of the memory, a gibibyte at most: several queries and a sync share the machine. */
function usualLimits(): QueryLimits {
  const all = Math.min(totalmem(), process.constrainedMemory() || Number.MAX_SAFE_INTEGER) / 2 ** 20
  const databaseMebibytes = Math.floor(Math.min(1024, Math.max(256, all / 4)))
  return {
    databaseMebibytes,
    processMebibytes: databaseMebibytes + 512,
    spillMebibytes: 2048,
    answerMebibytes: 32,
  }
}
