/** An address such as `duckdb:shop.duckdb` → its destination. Each loads its driver only when it is opened. */
import { ConnectorError } from '../std/errors.ts'
import type { Claim, Destination, OpenDestination } from './destination.ts'
import type { FileKind } from './file-address.ts'
import { parseAddress } from './postgres/address.ts'

export type AddressOptions = {
  /** The database schema of the tables. */
  readonly schema?: string | undefined
}

/** Called with what follows the colon, and with the whole address. */
type OpenKind = (place: string, options: AddressOptions, address: string) => Destination

/** By scheme. */
const kinds: Readonly<Record<FileKind | 'postgres' | 'postgresql', OpenKind>> = {
  duckdb: (file, options, address) =>
    loadedWhenUsed(address, async () => (await import('./duckdb/duckdb.ts')).duckdbDestination(file, options)),
  jsonl: (folder, _, address) =>
    loadedWhenUsed(address, async () => (await import('./jsonl/jsonl.ts')).jsonlDestination(folder)),
  parquet: (folder, _, address) =>
    loadedWhenUsed(address, async () => (await import('./parquet/parquet.ts')).parquetDestination(folder)),
  postgres: postgresAt,
  postgresql: postgresAt,
}

function postgresAt(_: string, options: AddressOptions, url: string): Destination {
  const { shown } = parseAddress(url, options.schema)
  const load = async () => (await import('./postgres/postgres.ts')).postgresDestination(url, options)
  return { ...loadedWhenUsed(shown, load), canShare: true }
}

/** A program that writes to one kind of destination loads no other. */
function loadedWhenUsed(address: string, load: () => Promise<Required<Destination>>): Destination {
  let loading: Promise<Required<Destination>> | null = null
  const loaded = () => (loading ??= load())
  return {
    address,
    open: async (connection, claim) => await (await loaded()).open(connection, claim),
    inspect: async (prefix) => await (await loaded()).inspect(prefix),
    query: async (sql, limit, options) => await (await loaded()).query(sql, limit, options),
  }
}

/** @example destinationAt('duckdb:shop.duckdb') */
export function destinationAt(address: string, options: AddressOptions = {}): Destination {
  const [, kind = '', place = ''] = /^([a-z]+):(.*)$/s.exec(address) ?? []
  const open = Object.hasOwn(kinds, kind) ? kinds[kind as keyof typeof kinds] : undefined
  if (open !== undefined && place !== '') return open(place, options, address)
  // An address may hold a password: only its scheme is shown.
  const found = kind === '' ? 'The address names no kind of destination' : `There is no destination at ${kind}:`
  throw new ConnectorError('destinations/unknown', `${found}.`)
}

/** Opens it next to other processes; refuses where that is not possible. */
export async function openShared(destination: Destination, connection: string, claim: Claim): Promise<OpenDestination> {
  if (destination.canShare === true) return await destination.open(connection, claim)
  throw new ConnectorError(
    'destinations/cannot-share',
    `${destination.address} cannot be written to by several processes at the same time.`,
  )
}
