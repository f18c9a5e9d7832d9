/** `--to`, the environment, or neither → the destination; and the commands that show its tables. */
import { join } from 'node:path'
import { isFolderAddress } from '../destinations/file-address.ts'
import { destinationAt } from '../destinations/open-destination.ts'
import type { Destination } from '../destinations/destination.ts'
import { ConnectorError } from '../std/errors.ts'
import { fillVariables } from './fill-variables.ts'

export type DestinationChoice = { readonly to?: string; readonly schema?: string }

export function destinationFrom({ to, schema }: DestinationChoice): Destination {
  const destination = destinationAt(addressFrom(to), { schema })
  if (schema !== undefined && isFolderAddress(destination.address)) {
    const message = `--schema ${schema} does not apply to ${destination.address}: a folder has no schemas.`
    throw new ConnectorError('cli/arguments', message, { hint: 'Remove --schema, or use another folder.' })
  }
  return destination
}

/** The schema that the address itself may name. */
export function schemaFrom({ to, schema }: DestinationChoice): string | undefined {
  return schema ?? /^postgres.*[?&]schema=([^&]+)/.exec(writtenAddress(to))?.[1]
}

/** With the values of the variables it refers to. */
export function addressFrom(given: string | undefined): string {
  return fillVariables(writtenAddress(given), given === undefined ? 'TURNLEAF_TO' : '--to')
}

/** As it was given. The default is in TURNLEAF_HOME, or in the current folder. */
export function writtenAddress(given: string | undefined): string {
  if (given === '') throw new ConnectorError('destinations/unknown', '--to is empty.')
  const address = given ?? process.env.TURNLEAF_TO
  return address === undefined || address === '' ? embeddedAddress() : address
}

/** Needs nothing installed. */
export function embeddedAddress(): string {
  return `duckdb:${join(process.env.TURNLEAF_HOME ?? '', 'turnleaf.duckdb')}`
}

/** What was synced, as the commands that follow name it. */
export type Synced = {
  readonly schema?: string | undefined
  /** A connection with a file, as `--connection` takes it. The file knows the password of the database, the address that is shown does not. */
  readonly connection?: string | undefined
}

/**
 * A command that shows some rows, or the tables where every stream name would need quoting.
 *
 * @param address as the destination shows it: without a password.
 */
export function showRowsCommand(
  address: string,
  streams: readonly string[],
  { schema, connection }: Synced = {},
): string | null {
  const stream = streams.find((name) => /^[a-z][a-z\d_]*$/.test(name))
  const kind = address.slice(0, address.indexOf(':'))
  const table = schema === undefined ? `"${stream}"` : `"${schema}"."${stream}"`
  switch (kind) {
    case 'duckdb':
    case 'parquet':
    case 'jsonl': {
      const place = connection === undefined ? destinationArguments(address) : connectionArguments(connection)
      return `npx turnleaf query${place} ${shellWord(stream === undefined ? 'show tables' : `select * from ${table} limit 5`)}`
    }
    case 'postgres':
    case 'postgresql': {
      if (connection !== undefined) {
        const tables = `select tablename from pg_tables where schemaname = '${schema ?? 'public'}'`
        const sql = stream === undefined ? tables : `select * from ${table} limit 5`
        return `npx turnleaf query${connectionArguments(connection)} ${shellWord(sql)}`
      }
      // Always with the schema: what psql finds without one depends on the role.
      return `psql ${shellWord(address)} -c ${shellWord(
        stream === undefined
          ? `\\dt ${quotedTable(schema ?? 'public')}.*`
          : `select * from ${quotedTable(stream, schema ?? 'public')} limit 5`,
      )}`
    }
    default:
      return null
  }
}

/** The arguments that select the same destination: ` --to … --schema …`; empty for the default. */
export function destinationArguments(address: string, schema?: string): string {
  const place = address === embeddedAddress() ? '' : ` --to ${shellWord(address)}`
  return schema === undefined ? place : `${place} --schema ${shellWord(schema)}`
}

export function connectionArguments(connection: string): string {
  return ` --connection ${shellWord(connection)}`
}

export function quotedTable(name: string, schema?: string): string {
  return (schema === undefined ? [name] : [schema, name]).map((one) => `"${one.replaceAll('"', '""')}"`).join('.')
}

/** Quoted as one word for a shell. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  // Keeps queries with string literals readable.
  if (text.includes("'") && !/["$`\\!]/.test(text)) return `"${text}"`
  return `'${text.replaceAll("'", "'\\''")}'`
}
