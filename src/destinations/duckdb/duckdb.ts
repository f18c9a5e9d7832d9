/** The DuckDB destination: rows and checkpoints in one file, one transaction per commit. */
import type { Destination } from '../destination.ts'
import { queryInProcess } from './query-in-process.ts'
import { queryRows } from './query.ts'
import { lookInto } from './database.ts'
import { doesNotExist } from './failures.ts'
import { inspectCheckpoints } from './checkpoints.ts'
import { openStore } from './store.ts'
import { tablesInFile } from './tables-in-file.ts'

/**
 * @param options `schema`: the schema of the tables; `main` unless given.
 *
 * @example await sync(manifest, { config, to: duckdbDestination('shop.duckdb') })
 */
export function duckdbDestination(
  file: string,
  { schema = 'main' }: { schema?: string | undefined } = {},
): Required<Destination> {
  const address = `duckdb:${file}`
  return {
    address,
    canShare: false,
    open: (connection) =>
      openStore({ file, address, schema, connection, openPublished: tablesInFile, isConfined: true }),
    inspect: (prefix) => inspectCheckpoints(file, address, schema, prefix),
    async query(sql, limit, options = {}) {
      const { isConfined = false, isOwn = false } = options
      if (isConfined && !isOwn) return queryInProcess(file, address, sql, limit, options)
      const answer = await lookInto(file, address, (session) => queryRows(session, sql, limit, options))
      if (answer === null) throw doesNotExist(address)
      return answer
    },
  }
}
