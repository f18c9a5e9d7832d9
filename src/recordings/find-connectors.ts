/** Paths → the folders of connectors with recordings, in and below them. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestNames } from '../connector/load-manifest.ts'
import { ConnectorError } from '../std/errors.ts'
import { recordingsFolder } from './recording-file.ts'

/** `connectors/vendor/shop` is three levels below the root of a repository. */
const deepest = 4

/** A folder of a connector is taken as it is; others are searched. Without paths, the current folder is. */
export async function findConnectors(paths: readonly string[]): Promise<string[]> {
  const found: string[] = []
  const searched = paths.length === 0 ? ['.'] : paths
  for (const path of searched) {
    if (paths.length > 0 && (await isConnector(path))) found.push(path)
    else found.push(...(await search(path, deepest)))
  }
  if (found.length > 0) return [...new Set(found)]
  const places = searched.map((path) => (path === '.' ? 'the current folder' : path)).join(', ')
  throw new ConnectorError('recordings/none', `There is no connector with recordings in ${places}.`)
}

async function isConnector(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => null)
  if (found === null) throw new ConnectorError('cli/file', `There is no ${path}.`)
  return found.isFile() || (await hasManifest(path))
}

async function hasManifest(folder: string): Promise<boolean> {
  const names: string[] = await readdir(folder).catch(() => [])
  return manifestNames.some((name) => names.includes(name))
}

async function search(folder: string, levels: number): Promise<string[]> {
  const inside = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const names = inside.map(({ name }) => name)
  const isOne = manifestNames.some((name) => names.includes(name)) && names.includes(recordingsFolder)
  if (isOne || levels === 0) return isOne ? [folder] : []
  const folders = inside
    .filter((one) => one.isDirectory() && !one.name.startsWith('.') && one.name !== 'node_modules')
    .map(({ name }) => join(folder, name))
  const found: string[] = []
  for (const one of folders.toSorted()) found.push(...(await search(one, levels - 1)))
  return found
}
