/** `--to`, the environment, or neither → the destination's address; and how to look at what landed there. */
import { join } from 'node:path'

/** The default lives in TURNLEAF_HOME, or here. */
export function addressFrom(given: string | undefined): string {
  const address = given ?? process.env.TURNLEAF_TO
  return address === undefined || address === '' ? embeddedAddress() : address
}

/** Needs nothing installed. */
export function embeddedAddress(): string {
  return `duckdb:${join(process.env.TURNLEAF_HOME ?? '', 'turnleaf.duckdb')}`
}

/**
 * A command that shows some rows, or which tables there are where no stream has a name that needs no quoting.
 *
 * @param address as the destination shows it: without a password.
 */
export function lookCommand(address: string, streams: readonly string[], schema?: string): string | null {
  const stream = streams.find((name) => /^[a-z][a-z\d_]*$/.test(name))
  const kind = address.slice(0, address.indexOf(':'))
  const table = schema === undefined ? `"${stream}"` : `"${schema}"."${stream}"`
  switch (kind) {
    case 'duckdb':
    case 'parquet':
    case 'jsonl': {
      const place = address === embeddedAddress() ? '' : ` --to ${shellWord(address)}`
      return `npx turnleaf query${place} ${shellWord(stream === undefined ? 'show tables' : `select * from ${table} limit 5`)}`
    }
    case 'postgres':
    case 'postgresql':
      return `psql ${shellWord(address)} -c ${shellWord(stream === undefined ? '\\dt' : `select * from ${table} limit 5`)}`
    default:
      return null
  }
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
