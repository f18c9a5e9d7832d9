/** A connector of TURNLEAF_HOME → the connections that use it, by its name or by a path. */
import { resolve } from 'node:path'
import { setIn } from '../document/edit.ts'
import { replaceFile } from '../std/disk/durable.ts'
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
export async function renameConnectorIn({ file, text }: Connection, connector: string): Promise<void> {
  await replaceFile(resolve(file), Buffer.from(setIn(text, ['connector'], connector)))
}
