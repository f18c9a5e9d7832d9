/** An address such as `duckdb:shop.duckdb` → its destination. Each loads its driver only when it is opened. */
import { ConnectorError } from '../std/errors.ts'
import type { Destination } from './destination.ts'
import { duckdbDestination } from './duckdb/duckdb.ts'
import { jsonlDestination } from './jsonl/jsonl.ts'
import { parquetDestination } from './parquet/parquet.ts'
import { postgresDestination } from './postgres/postgres.ts'

export type AddressOptions = {
  /** The database schema of the tables. */
  readonly schema?: string | undefined
}

/** By scheme; called with what follows the colon, and with the whole address. */
const kinds: Readonly<Record<string, (place: string, options: AddressOptions, address: string) => Destination>> = {
  duckdb: (file, options) => duckdbDestination(file, options),
  jsonl: (folder) => jsonlDestination(folder),
  parquet: (folder) => parquetDestination(folder),
  postgres: (_, options, url) => postgresDestination(url, options),
  postgresql: (_, options, url) => postgresDestination(url, options),
}

/** @example destinationAt('duckdb:shop.duckdb') */
export function destinationAt(address: string, options: AddressOptions = {}): Destination {
  const [, kind = '', place = ''] = /^([a-z]+):(.*)$/s.exec(address) ?? []
  const open = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  if (open !== undefined && place !== '') return open(place, options, address)
  // An address may hold a password: only its scheme is shown.
  const found = kind === '' ? 'The address names no kind of destination' : `There is no destination at ${kind}:`
  throw new ConnectorError('destinations/unknown', `${found}.`)
}
