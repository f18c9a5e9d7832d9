/** The files behind a destination → a string that changes when they do; null where there are none to look at. */
import { statSync } from 'node:fs'
import { join } from 'node:path'

/** @param to the address of a destination. DuckDB writes to a log next to its file first. */
export function fileStamp(to: string): string | null {
  const [, kind, path = ''] = /^(duckdb|parquet):(.+)$/s.exec(to) ?? []
  if (kind === undefined) return null
  const file = kind === 'duckdb' ? path : join(path, '_turnleaf', 'staging.duckdb')
  const stamps = [file, `${file}.wal`].map((one) => statSync(one, { throwIfNoEntry: false }))
  return stamps.map((one) => (one === undefined ? '-' : `${one.ino} ${one.size} ${one.mtimeMs}`)).join(' ')
}
