/** `--to`, the environment, or neither → the destination; and the commands that show its tables. */
import { join } from 'node:path'
import { hidePassword } from '../connections/show-connection.ts'
import { isFolderAddress } from '../destinations/file-address.ts'
import { destinationAt } from '../destinations/open-destination.ts'
import type { Destination } from '../destinations/destination.ts'
import { ConnectorError } from '../std/errors.ts'
import { fillAddress } from './fill-variables.ts'

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
  return schema ?? /^postgres.*[?&]schema=([^&]+)/.exec(addressFrom(to))?.[1]
}

/** With the values of the variables it refers to. */
export function addressFrom(given: string | undefined): string {
  if (given === '') throw new ConnectorError('destinations/unknown', '--to is empty.')
  if (given !== undefined) return fillAddress(given, '--to')
  const usual = environmentAddress()
  // Not filled: `${` in the name of a folder is no variable.
  return usual === undefined ? embeddedAddress() : fillAddress(usual, 'TURNLEAF_TO')
}

/** As TURNLEAF_TO says it, with its variables. */
export function environmentAddress(): string | undefined {
  return process.env.TURNLEAF_TO || undefined
}

/** In TURNLEAF_HOME, or in the current folder. Needs nothing installed. */
export function embeddedAddress(): string {
  return `duckdb:${join(process.env.TURNLEAF_HOME ?? '', 'turnleaf.duckdb')}`
}

/** What was synced, as the commands that follow name it. */
export type Synced = {
  readonly schema?: string | undefined
  /** A connection with a file, as `--connection` takes it. The file knows the password of the database, the address that is shown does not. */
  readonly connection?: string | undefined
  /** The arguments that name the destination as it was given; those of the address that is shown when absent. */
  readonly place?: string | undefined
}

/**
 * A command that shows some rows, or the tables where every stream name would need quoting.
 *
 * @param address as the destination shows it: without a password.
 */
export function showRowsCommand(
  address: string,
  streams: readonly string[],
  { schema, connection, place = destinationArguments(address) }: Synced = {},
): string | null {
  const stream = streams.find((name) => /^[a-z][a-z\d_]*$/.test(name))
  const kind = address.slice(0, address.indexOf(':'))
  const table = schema === undefined ? `"${stream}"` : `"${schema}"."${stream}"`
  const query = (listTables: string) => {
    const named = connection === undefined ? place : connectionArguments(connection)
    return `npx turnleaf query${named} ${shellWord(stream === undefined ? listTables : `select * from ${table} limit 5`)}`
  }
  switch (kind) {
    case 'duckdb':
    case 'parquet':
    case 'jsonl':
      return query('show tables')
    case 'postgres':
    case 'postgresql': {
      // What psql would need is not in the address that is shown: a password, or parameters.
      if (connection !== undefined || place !== destinationArguments(address)) {
        const tables = 'select tablename from pg_tables where schemaname ='
        return query(`${tables} ${schema === undefined ? 'current_schema()' : `'${schema}'`}`)
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

/** The arguments that select the destination of this address: ` --to …`; empty for the default. */
export function destinationArguments(address: string): string {
  return address === (environmentAddress() ?? embeddedAddress()) ? '' : ` --to ${shellWord(address)}`
}

/**
 * The same for a destination that was given by `--to`, with its variables, or by the environment.
 *
 * @param shown the address without a password, for one in which a password is written out.
 */
export function givenArguments(to: string | undefined, shown: string): string {
  if (to === undefined) return ''
  return destinationArguments(hidePassword(to) === to ? to : shown)
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
