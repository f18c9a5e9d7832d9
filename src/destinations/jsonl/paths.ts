/** The paths of a connection in the folder: tables at the top, everything else in `_turnleaf`. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { chooseFileName } from '../file-name.ts'

export type ConnectionPaths = {
  readonly folder: string
  readonly address: string
  readonly connection: string
  /** The folder of the connection: lock, ledger and staged files. */
  readonly own: string
  readonly ledger: string
  readonly staged: string
  /** One small file per table that names its connection. */
  readonly claims: string
}

export function pathsOf(folder: string, connection: string): ConnectionPaths {
  const own = join(connectionsIn(folder), connectionFolder(connection))
  return {
    folder,
    address: jsonlAddress(folder),
    connection,
    own,
    ledger: join(own, ledgerName),
    staged: join(own, stagedFolder),
    claims: join(folder, '_turnleaf', 'tables'),
  }
}

/** The extension of table files. */
export const extension = '.jsonl'

/** The name of a table's staged rows in a query. */
export function stagedTable(file: string): string {
  return `_turnleaf_staged_${file.slice(0, -extension.length)}`
}

/** Within the folder of a connection. */
export const stagedFolder = 'staged'

export const ledgerName = 'ledger.jsonl'

export function jsonlAddress(folder: string): string {
  return `jsonl:${folder}`
}

export function connectionsIn(folder: string): string {
  return join(folder, '_turnleaf', 'connections')
}

/** Two connections never share a folder: a name that was changed, or has capitals, ends in a hash of the whole. */
function connectionFolder(connection: string): string {
  const name = chooseFileName(connection, () => false)
  if (name === connection && name === name.toLowerCase()) return name
  return `${name}-${createHash('sha256').update(connection).digest('hex').slice(0, 8)}`
}
