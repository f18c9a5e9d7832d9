/** The connectors of `TURNLEAF_HOME`: one folder each, in `connectors/`. */
import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { manifestNames } from '../connector/load-manifest.ts'
import { ConnectorError, type SourceLocation } from '../std/errors.ts'
import { nearMiss } from '../std/text/near-miss.ts'
import { fileIn, homeFolder, isPath, relativePath, shownPath } from './find-connection.ts'

export function connectorFolder(home: string, name: string): string {
  return join(home, 'connectors', name)
}

export async function refuseExistingConnector(folder: string): Promise<void> {
  if ((await stat(folder).catch(() => null)) === null) return
  throw new ConnectorError('connections/exists', `${shownPath(folder)} already exists.`, {
    hint: 'Choose another name with --name, or remove the folder.',
  })
}

type NamedIn = {
  /** The folder that paths start from where the name was written. */
  readonly folder: string
  readonly at?: SourceLocation
}

/** The folder of the connector that has this name. */
export async function findConnector(name: string, home: string, { folder, at }: NamedIn): Promise<string> {
  const path = connectorFolder(home, name)
  if ((await fileIn(path, manifestNames)) !== null) return shownPath(path)
  const names = await connectorNames(home)
  const known = names.length === 0 ? 'that folder has none' : `there is ${names.slice(0, 12).join(', ')}`
  throw new ConnectorError(
    'connections/no-connector',
    `There is no connector "${name}" in ${shownPath(join(home, 'connectors'))}; ${known}.`,
    { at, hint: await connectorHint(name, names, folder) },
  )
}

/** For commands that take paths: after `init --name shop`, the name is what one types first. */
export async function refuseConnectorName(given: string): Promise<void> {
  if (isPath(given) || (await stat(given).catch(() => null)) !== null) return
  const folder = connectorFolder(homeFolder(), given)
  if ((await fileIn(folder, manifestNames)) === null) return
  throw new ConnectorError('cli/file', `There is no ${given} in the current folder.`, {
    hint: `Did you mean ${shownPath(folder)}?`,
  })
}

/** `turnleaf import` writes to the current folder. */
async function connectorHint(name: string, names: readonly string[], folder: string): Promise<string | undefined> {
  if ((await fileIn(resolve(name), manifestNames)) !== null) {
    return `For ${name} in the current folder, write ${relativePath(folder, name)}.`
  }
  const near = nearMiss(name, names)
  return near === undefined ? undefined : `Did you mean ${near}?`
}

async function connectorNames(home: string): Promise<string[]> {
  const entries = await readdir(join(home, 'connectors'), { withFileTypes: true }).catch(() => [])
  return entries
    .filter((one) => one.isDirectory() && !one.name.startsWith('.'))
    .map(({ name }) => name)
    .toSorted()
}
