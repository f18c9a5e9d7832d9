/** A name or a path → the connection; the connections of TURNLEAF_HOME. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { manifestNames } from '../connector/load-manifest.ts'
import { reasonOf } from '../connector/open-connector.ts'
import { errorCode } from '../std/disk/disk-error.ts'
import { ConnectorError } from '../std/errors.ts'
import { nearMiss } from '../std/text/near-miss.ts'
import { type Connection, parseConnection } from './connection.ts'

/** The file of a connection in its folder; the first is what new ones are called. */
const connectionFiles = ['connection.yaml', 'connection.yml', 'connection.json'] as const

export const newConnectionFile = connectionFiles[0]

/** `TURNLEAF_HOME`, or the current folder. */
export function homeFolder(): string {
  return process.env.TURNLEAF_HOME || process.cwd()
}

export function connectionsFolder(home: string): string {
  return join(home, 'connections')
}

/** What has a slash, or starts with a dot, is a path; everything else is a name. */
export function isPath(text: string): boolean {
  return /[/\\]/.test(text) || text.startsWith('.')
}

/** The file of a connection of this name; null where there is none. */
export async function connectionFile(name: string, home: string): Promise<string | null> {
  const path = resolve(connectionsFolder(home), name)
  const file = await fileIn(path)
  // Other files, such as a README.md, may be there too.
  return file === path && !/\.(?:ya?ml|json)$/i.test(name) ? null : file
}

/** @param given a name in `TURNLEAF_HOME/connections`, or the path of a connection's folder or file. */
export async function findConnection(given: string, home: string): Promise<Connection> {
  const file = isPath(given) ? await fileIn(resolve(given)) : await connectionFile(given, home)
  if (file === null) throw await notFound(given, home)
  return readConnection(file)
}

async function readConnection(file: string): Promise<Connection> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new ConnectorError('connections/not-found', `Cannot read ${shownPath(file)}: ${reasonOf(error)}.`, {
      cause: error,
    })
  })
  return parseConnection(text, shownPath(file))
}

export type ListedConnection =
  | { readonly name: string; readonly connection: Connection }
  | { readonly name: string; readonly problem: ConnectorError }

/** By name, those that cannot be read with the reason. */
export async function listConnections(home: string): Promise<ListedConnection[]> {
  const names = await connectionNames(home)
  return Promise.all(
    names.map(async (name): Promise<ListedConnection> => {
      try {
        return { name, connection: await findConnection(name, home) }
      } catch (error) {
        if (!(error instanceof ConnectorError)) throw error
        return { name, problem: error }
      }
    }),
  )
}

/** Folders without a connection file, other files, and hidden ones are left out. */
export async function connectionNames(home: string): Promise<string[]> {
  const folder = connectionsFolder(home)
  const entries = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return []
    throw new ConnectorError('connections/not-found', `Cannot list ${shownPath(folder)}: ${reasonOf(error)}.`, {
      cause: error,
    })
  })
  const visible = entries.filter((name) => !name.startsWith('.')).toSorted()
  const files = await Promise.all(visible.map((name) => connectionFile(name, home)))
  return visible.filter((_, index) => files[index] !== null)
}

/** The first of these files in a folder, or the file at the path itself; null where there is none. */
export async function fileIn(path: string, names: readonly string[] = connectionFiles): Promise<string | null> {
  const found = await stat(path).catch(() => null)
  if (found === null) return null
  if (!found.isDirectory()) return path
  for (const name of names) {
    const inside = join(path, name)
    if ((await stat(inside).catch(() => null))?.isFile()) return inside
  }
  return null
}

async function notFound(given: string, home: string): Promise<ConnectorError> {
  const isManifest = /\.(?:ya?ml|json)$/i.test(given) || (await fileIn(resolve(given), manifestNames)) !== null
  const ofManifest = isManifest ? { hint: `For a manifest, write --manifest-path ${given}.` } : undefined
  if (isPath(given)) {
    const hint = `A connection is a folder with a ${newConnectionFile}.`
    return new ConnectorError('connections/not-found', `There is no connection at ${given}.`, ofManifest ?? { hint })
  }
  const names = await connectionNames(home)
  const near = nearMiss(given, names)
  const known = names.length === 0 ? 'there is none yet' : `there is ${names.slice(0, 12).join(', ')}`
  return new ConnectorError(
    'connections/not-found',
    `There is no connection "${given}" in ${shownPath(connectionsFolder(home))}; ${known}.`,
    near === undefined ? (ofManifest ?? {}) : { hint: `Did you mean ${near}?` },
  )
}

/** With a dot first, so that it is not taken for a name. */
export function relativePath(from: string, path: string): string {
  const found = relative(from, resolve(path))
  return found.startsWith('.') ? found : `./${found}`
}

/** From the current folder where it is inside; otherwise whole. */
export function shownPath(path: string): string {
  const shown = relative(process.cwd(), path)
  return shown === '' ? '.' : shown.startsWith('..') ? path : shown
}
