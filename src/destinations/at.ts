/** What `--to` says → the destination it names. Each loads its database only once it is opened. */
import { ConnectorError } from '../errors.ts'
import type { Destination } from './destination.ts'

export type AddressOptions = {
  /** The schema of a database that the tables go to. */
  readonly schema?: string | undefined
}

/** @example destinationAt('duckdb:shop.duckdb') */
export function destinationAt(address: string, _options: AddressOptions = {}): Destination {
  throw new ConnectorError('destinations/unknown', `"${address}" names no destination.`)
}
