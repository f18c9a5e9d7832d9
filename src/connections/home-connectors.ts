/** The connectors of `TURNLEAF_HOME`: one folder each, in `connectors/`. */
import { readdir, stat } from 'node:fs/promises'
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

/** For suggestions. */
export async function connectorNames(home: string): Promise<string[]> {
  const entries = await readdir(join(home, 'connectors'), { withFileTypes: true }).catch(() => [])
  return entries
    .filter((one) => one.isDirectory() && !one.name.startsWith('.'))
    .map(({ name }) => name)
    .toSorted()
}
