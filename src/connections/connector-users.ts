/** A connector of TURNLEAF_HOME → the connections that use it, by its name or by a path. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setIn } from '../document/edit.ts'
import { errorCode } from '../std/disk/disk-error.ts'
import { rewriteFile } from '../std/disk/durable.ts'
import type { Connection } from './connection.ts'
import { isPath, listConnections } from './find-connection.ts'

/** Connections that cannot be read use nothing. */
export async function connectorUsers(home: string, connector: string): Promise<Connection[]> {
  const folder = resolve(home, 'connectors', connector)
  return (await listConnections(home)).flatMap((one) => {
    if (!('connection' in one)) return []
    const { connector: named, folder: own } = one.connection
    const isUser = isPath(named)
      ? resolve(own, named) === folder || resolve(own, named, '..') === folder
      : named === connector
    return isUser ? [one.connection] : []
  })
}

/** For a connector that got another name. Everything else in the file stays as it is written. */
export async function renameConnectorIn({ file }: Connection, connector: string): Promise<void> {
  const path = resolve(file)
  // Read again: an edit of someone else since then is kept.
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  })
  // Without a text the connection was removed meanwhile.
  if (text !== null) await rewriteFile(path, Buffer.from(setIn(text, ['connector'], connector)))
}
