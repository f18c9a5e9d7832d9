/** A path on disk → the manifest of the connector there. */
import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { ConnectorError } from '../std/errors.ts'
import { type LoadedManifest, loadManifest, manifestNames } from './load-manifest.ts'
import { messageOf } from '../std/text/message-of.ts'

export type ManifestText = { readonly text: string; readonly file: string; readonly folder: string }

/** The manifest, checked. Custom classes are loaded from its folder. */
export async function loadConnector(path: string): Promise<LoadedManifest> {
  const { text, file, folder } = await readConnector(path)
  return loadManifest(text, { file, folder })
}

/** @param path a file, or a folder with a manifest in it. */
export async function readConnector(path: string): Promise<ManifestText> {
  const file = await manifestIn(path)
  return { text: await readTextFile(file, 'manifest'), file, folder: resolve(dirname(file)) }
}

async function manifestIn(path: string): Promise<string> {
  const found = await stat(path).catch(() => null)
  if (!found?.isDirectory()) return path
  for (const name of manifestNames) {
    const inside = join(path, name)
    if ((await stat(inside).catch(() => null))?.isFile()) return inside
  }
  throw new ConnectorError('cli/file', `There is no manifest.yaml in the folder ${path}.`)
}

/** @param what is shown when it cannot be read: `manifest`. */
export async function readTextFile(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new ConnectorError('cli/file', `Cannot read the ${what} ${path}: ${reasonOf(cause)}.`, { cause })
  }
}

export function reasonOf(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return 'it does not exist'
    case 'EISDIR':
      return 'it is a folder'
    case 'EACCES':
      return 'it may not be read'
    default:
      return messageOf(error)
  }
}
