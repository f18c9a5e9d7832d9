/** Where the connectors of `TURNLEAF_HOME` are. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ConnectorError } from '../std/errors.ts'
import { shownPath } from './find-connection.ts'

export function connectorFolder(home: string, name: string): string {
  return join(home, 'connectors', name)
}

export async function refuseExistingConnector(folder: string): Promise<void> {
  if ((await stat(folder).catch(() => null)) === null) return
  throw new ConnectorError('connections/exists', `${shownPath(folder)} already exists.`, {
    hint: 'Choose another name with --name, or remove the folder.',
  })
}
