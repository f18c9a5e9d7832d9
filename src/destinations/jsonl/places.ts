/** Where things stand in the folder: tables in the open, everything else in `_turnleaf`. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { chooseFileName } from '../file-name.ts'

export type Places = {
  readonly folder: string
  readonly address: string
  readonly connection: string
  /** The connection's own: lock, ledger and what is staged. */
  readonly own: string
  readonly ledger: string
  readonly staged: string
  /** One small file per table that says whose it is. */
  readonly claims: string
}

export function placesOf(folder: string, connection: string): Places {
  const own = join(connectionsIn(folder), connectionFolder(connection))
  return {
    folder,
    address: addressOf(folder),
    connection,
    own,
    ledger: join(own, ledgerName),
    staged: join(own, stagedFolder),
    claims: join(folder, '_turnleaf', 'tables'),
  }
}

/** Of the files that are tables. */
export const extension = '.jsonl'

/** What a query calls the rows that are staged for the table of this file. */
export function stagedTable(file: string): string {
  return `_turnleaf_staged_${file.slice(0, -extension.length)}`
}

/** Within the folder of a connection. */
export const stagedFolder = 'staged'

export const ledgerName = 'ledger.jsonl'

export function addressOf(folder: string): string {
  return `jsonl:${folder}`
}

export function connectionsIn(folder: string): string {
  return join(folder, '_turnleaf', 'connections')
}

/** Two connections never share a folder: a name that had to change, or has capitals, ends in a mark of the whole. */
function connectionFolder(connection: string): string {
  const name = chooseFileName(connection, () => false)
  if (name === connection && name === name.toLowerCase()) return name
  return `${name}-${createHash('sha256').update(connection).digest('hex').slice(0, 8)}`
}
