/** A new connector in `TURNLEAF_HOME/connectors`. */
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { reasonOf } from '../connector/open-connector.ts'
import { syncFolder } from '../std/disk/durable.ts'
import { ConnectorError } from '../std/errors.ts'
import { shownPath } from './find-connection.ts'

export function connectorFolder(home: string, name: string): string {
  return join(home, 'connectors', name)
}

/** @param files text by name. Renamed at the end: the folder is there completely or not at all. */
export async function writeConnector(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  const draft = join(dirname(folder), `.${process.pid}.draft`)
  try {
    await mkdir(draft, { recursive: true })
    for (const [name, text] of Object.entries(files)) await writeFile(join(draft, name), text)
    await syncFolder(draft)
    await rename(draft, folder)
    await syncFolder(dirname(folder))
  } catch (cause) {
    await rm(draft, { recursive: true, force: true })
    throw new ConnectorError('cli/file', `${shownPath(folder)} cannot be written: ${reasonOf(cause)}.`, { cause })
  }
}

export async function refuseExistingConnector(folder: string): Promise<void> {
  if ((await stat(folder).catch(() => null)) === null) return
  throw new ConnectorError('connections/exists', `${shownPath(folder)} already exists.`, {
    hint: 'Choose another name with --name, or remove the folder.',
  })
}
