/** A new connection, written to its folder; secrets go into files of their own. And the removal of one. */
import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { loadConnector, reasonOf } from '../connector/open-connector.ts'
import { withPath } from '../destinations/file-address.ts'
import { withoutPasswords } from '../destinations/without-passwords.ts'
import { setIn } from '../document/edit.ts'
import type { Config } from '../engine/plan/plan.ts'
import { secretsOf } from '../engine/secrets/find-secrets.ts'
import type { LoadedManifest } from '../connector/load-manifest.ts'
import type { Requirement } from '../proof/verdict/verdict-name.ts'
import { describeDiskError, isPathTaken } from '../std/disk/disk-error.ts'
import { replaceFile, syncFolder } from '../std/disk/durable.ts'
import { makeFolder } from '../std/disk/make-folder.ts'
import { moveToTrash } from '../std/disk/trash.ts'
import { ConnectorError } from '../std/errors.ts'
import { isList, isObject } from '../std/values/objects.ts'
import { refuseImpossibleStreams } from './check-streams.ts'
import { folderOf, readConfig } from './config-file.ts'
import { type Connection, parseConnection } from './connection.ts'
import {
  connectionsFolder,
  findConnection,
  isPath,
  newConnectionFile,
  relativePath,
  shownPath,
} from './find-connection.ts'
import { findConnector } from './home-connectors.ts'
import { keepReferences, type SecretFile, secretReference, unused, writeSecrets } from './keep-references.ts'
import { hasReferences, isFileReference, referencedFile } from './references.ts'
import { connectorOrigins } from './secret-origins.ts'

export type NewConnection = {
  readonly name: string
  /** A name in `TURNLEAF_HOME/connectors`, or a path from the current folder. */
  readonly connector: string
  /** The path of a config file, or its values. */
  readonly config?: string | Config | undefined
  readonly to?: string | undefined
  readonly schema?: string | undefined
  readonly streams?: readonly string[] | undefined
  /** One for all streams, or by stream. */
  readonly mode?: string | Readonly<Record<string, string>> | undefined
  readonly require?: Requirement | undefined
}

export type AddedConnection = {
  readonly connection: Connection
  /** Secrets that were moved from the config or the address into files. */
  readonly moved: readonly SecretFile[]
}

const validName = /^[a-z0-9][a-z0-9_-]{0,62}$/

/** For what writes files under this name before the connection is added. */
export function checkConnectionName(name: string): void {
  if (validName.test(name)) return
  throw new ConnectorError('connections/name', `"${name}" cannot be the name of a connection.`)
}

/** All of it or nothing. */
export async function addConnection(given: NewConnection, home: string): Promise<AddedConnection> {
  const { name } = given
  checkConnectionName(name)
  const folder = join(connectionsFolder(home), name)
  if ((await stat(folder).catch(() => null)) !== null) throw existsAlready(folder)
  const connector = isPath(given.connector) ? relativePath(folder, given.connector) : given.connector
  // Loaded now, since a name with a typing error is noticed best by its author.
  const manifest = await loadConnector(
    isPath(connector) ? given.connector : await findConnector(connector, home, { folder: process.cwd() }),
  )
  refuseImpossibleStreams(manifest, { streams: given.streams, mode: given.mode })
  const written = typeof given.config === 'string' ? await withPathsFrom(given.config, folder) : (given.config ?? {})
  const { config, files } = withoutPlainSecrets(manifest, written)
  const destination = destinationKey(given.to, folder, files)
  const moved = [...files, ...destination.files]
  const text = textOf({
    connector,
    ...(Object.keys(config).length > 0 && { config }),
    ...(destination.address !== undefined && { destination: destination.address }),
    schema: given.schema,
    streams: given.streams,
    mode: given.mode,
    require: given.require,
    ...(hasFiles(config) && (await originsKey(manifest, written))),
  })
  const connection = parseConnection(text, join(shownPath(folder), newConnectionFile))
  await writeFolder(folder, text, moved)
  return { connection, moved }
}

/** A later change of the connector does not change where the secrets go. */
async function originsKey(manifest: LoadedManifest, config: Config): Promise<{ origins?: string[] }> {
  const origins = await connectorOrigins(manifest, config)
  return origins.length === 0 ? {} : { origins }
}

function hasFiles(value: unknown): boolean {
  return isFileReference(value) || ((isList(value) || isObject(value)) && Object.values(value).some(hasFiles))
}

/** Moves its folder to the trash, with the secrets in it; returns where it is now. */
export async function removeConnection(name: string, home: string): Promise<string> {
  if (isPath(name)) {
    throw new ConnectorError(
      'connections/name',
      `${name} is a path, and only connections of TURNLEAF_HOME are removed.`,
      {
        hint: 'Delete the folder yourself.',
      },
    )
  }
  const { folder } = await findByFolder(name, home)
  // All other connections are in the folder of a file without one of its own.
  if (folder === resolve(connectionsFolder(home))) {
    const file = shownPath(join(folder, name))
    throw new ConnectorError('connections/name', `${file} is a file, and only folders of connections are removed.`, {
      hint: 'Delete the file yourself.',
    })
  }
  const trash = join(connectionsFolder(home), '.trash')
  return onDisk(`${shownPath(folder)} cannot be removed`, async () => shownPath(await moveToTrash(folder, trash)))
}

/** Also a connection with an error can be removed. */
async function findByFolder(name: string, home: string): Promise<{ folder: string }> {
  try {
    return await findConnection(name, home)
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.code === 'connections/not-found') throw error
    return { folder: join(connectionsFolder(home), name) }
  }
}

/** Relative paths of references start at another folder from now on. */
async function withPathsFrom(path: string, folder: string): Promise<Config> {
  const from = await folderOf(path)
  const moved = (value: unknown): unknown => {
    if (isFileReference(value) && !isAbsolute(value.slice('file:'.length))) {
      return `file:${relative(folder, referencedFile(value, from))}`
    }
    if (isList(value)) return value.map(moved)
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, moved(member)]))
  }
  return moved(await readConfig(path)) as Config
}

function withoutPlainSecrets(manifest: LoadedManifest, written: Config) {
  const known = new Set(secretsOf(manifest, written).filter((one) => typeof one === 'string'))
  refuseNumbers(written, known, [])
  // Everything counts as changed, so that each secret that is no reference gets a file.
  const isSecret = (value: string) => known.has(value) && !hasReferences(value)
  return keepReferences({ written: {}, filled: {}, changed: written, isSecret, mayRefer: true })
}

/** A file holds text, so that a number would come back as another value. */
function refuseNumbers(value: unknown, known: ReadonlySet<string>, path: readonly string[]): void {
  if (isList(value) || isObject(value)) {
    for (const [name, member] of Object.entries(value)) refuseNumbers(member, known, [...path, name])
  } else if ((typeof value === 'number' || typeof value === 'bigint') && known.has(String(value))) {
    throw new ConnectorError('connections/plain-secret', `\`${path.join('.')}\` is a secret, and a number.`, {
      hint: 'Write it as a string in quotes, or as a reference such as ${NAME}.',
    })
  }
}

/** An address with a password goes into a file of its own; a relative path is written from the folder of the connection. */
function destinationKey(
  to: string | undefined,
  folder: string,
  others: readonly SecretFile[],
): { address?: string; files: readonly SecretFile[] } {
  if (to === undefined) return { files: [] }
  if (withoutPasswords(to) !== to && !hasReferences(to)) {
    const reference = unused(secretReference(['destination']), others)
    return { address: reference, files: [{ reference, content: to, field: 'destination' }] }
  }
  if (hasReferences(to)) return { address: to, files: [] }
  const fromFolder = (path: string) => (isAbsolute(path) ? path : relative(folder, resolve(path)))
  return { address: withPath(to, fromFolder), files: [] }
}

function textOf({ connector, ...others }: Readonly<Record<string, unknown>>): string {
  const start = setIn('connector: x\n', ['connector'], connector)
  const text = Object.entries(others).reduce(
    (before, [key, value]) => (value === undefined ? before : setIn(before, [key], value)),
    start,
  )
  return text.endsWith('\n') ? text : `${text}\n`
}

/** Renamed at the end: a folder is there completely or not at all. Of several at the same time the first one stays. */
async function writeFolder(folder: string, text: string, secrets: readonly SecretFile[]): Promise<void> {
  const draft = join(dirname(folder), `.${basename(folder)}.${randomUUID()}.draft`)
  await onDisk(`${shownPath(folder)} cannot be written`, async () => {
    await makeFolder(dirname(folder))
    await mkdir(draft)
    try {
      await writeSecrets(secrets, draft)
      await replaceFile(join(draft, newConnectionFile), Buffer.from(text))
      await rename(draft, folder).catch((error: unknown) => {
        throw isPathTaken(error) ? existsAlready(folder) : error
      })
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      throw error
    }
    await syncFolder(dirname(folder))
  })
}

function existsAlready(folder: string): ConnectorError {
  return new ConnectorError('connections/exists', `${shownPath(folder)} already exists.`)
}

async function onDisk<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ConnectorError) throw error
    throw new ConnectorError('cli/file', `${what}: ${describeDiskError(error) ?? reasonOf(error)}.`, { cause: error })
  }
}
