/** A connection → what a sync of it needs: manifest, config with the values of its references, destination, options. */
import { readFile } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import type { LoadedManifest } from '../connector/load-manifest.ts'
import { loadConnector, type ManifestText, readConnector } from '../connector/open-connector.ts'
import type { Destination } from '../destinations/destination.ts'
import { isFolderAddress, withPath } from '../destinations/file-address.ts'
import { destinationAt } from '../destinations/open-destination.ts'
import { valueInAddress } from '../destinations/value-in-address.ts'
import { withoutPasswords } from '../destinations/without-passwords.ts'
import { removeIn, setIn } from '../document/edit.ts'
import { changesBetween } from '../document/edit-resolved.ts'
import { normalizeConfig, validateConfig } from '../engine/config/normalize-config.ts'
import type { Config } from '../engine/plan/plan.ts'
import { secretsOf } from '../engine/secrets/find-secrets.ts'
import { createRedactor } from '../engine/secrets/redact.ts'
import type { Redact } from '../protocol/secrets.ts'
import { customToolsOf } from '../read.ts'
import { rewriteFile } from '../std/disk/durable.ts'
import { ConnectorError } from '../std/errors.ts'
import type { SyncOptions } from '../sync/sync.ts'
import { sayMoved, trying } from './config-file.ts'
import type { Connection } from './connection.ts'
import { isPath, shownPath } from './find-connection.ts'
import { findConnector } from './home-connectors.ts'
import { keepReferences, takenFiles, writeSecrets } from './keep-references.ts'
import { fillReferences } from './references.ts'

export type OpeningOptions = {
  /** TURNLEAF_HOME. */
  readonly home: string
  /** Used where the connection names no destination. */
  readonly defaultDestination: () => string
  /** What takes the place of a variable in the config; throws for one that may not be used. Its value when absent. */
  readonly variable?: ((name: string) => string) | undefined
  /** What takes the place of the content of a file in the config; throws where it may not be used. The content when absent. */
  readonly file?: ((content: string, reference: string, connection: Connection) => string) | undefined
  /** Throws for a config with values that may not be used as they are written. */
  readonly checkWritten?: ((connection: Connection, manifest: LoadedManifest) => void) | undefined
  /** Throws for a destination that may not be opened. It gets the address as it is written, too: with its references. */
  readonly checkDestination?: ((address: string, written: string) => Promise<void>) | undefined
  /** Receives the function that hides secrets, as soon as any are known. */
  readonly learn?: (redact: Redact) => void
  readonly warn?: (text: string) => void
}

export type OpenedConnection = { readonly manifest: LoadedManifest; readonly options: SyncOptions }

/** Throws on the first error, before anything is requested or written. */
export async function openConnection(connection: Connection, given: OpeningOptions): Promise<OpenedConnection> {
  const { learn = () => {}, warn = () => {} } = given
  learn(withoutPasswords)
  const to = await connectionDestination(connection, given)
  const manifest = await connectionManifest(connection, given.home)
  given.checkWritten?.(connection, manifest)
  const source = await connectionConfig(connection, manifest, warn, given)
  learn((text) => source.redact(withoutPasswords(text)))
  for (const { severity, code, message } of manifest.problems) if (severity === 'warning') warn(`${code}: ${message}`)
  for (const text of await validateConfig(manifest, source.config, customToolsOf(manifest))) warn(text)
  const { name, streams, mode, require, prefetch, concurrency } = connection
  return {
    manifest,
    options: {
      config: source.config,
      isNormalized: true,
      onConfig: source.save,
      onEnd: source.saveAgain,
      to,
      connection: name,
      require,
      ...(streams !== null && { streams }),
      ...(mode !== null && { mode }),
      ...(prefetch !== null && { prefetch }),
      ...(concurrency !== null && { concurrency }),
    },
  }
}

export type ConnectionConfig = {
  /** With the values of its references, before it is normalized. */
  readonly given: Config
  /** Normalized. */
  readonly config: Config
  readonly redact: Redact
  /** Writes a changed config back: a refresh token that works once would be lost otherwise. */
  readonly save: (changed: Config) => Promise<void>
  /** Writes what `save` could not. Call at the end: a disk may have room by then. */
  readonly saveAgain: () => Promise<void>
}

/** The config with the values of its references. */
export async function connectionConfig(
  connection: Connection,
  manifest: LoadedManifest,
  warn: (text: string) => void,
  { variable, file: use }: Pick<OpeningOptions, 'variable' | 'file'> = {},
): Promise<ConnectionConfig> {
  const { config: written, file, folder, locate } = connection
  const filled = await fillReferences(written, {
    folder,
    locate: (path) => locate(['config', ...path]),
    variable,
    file: use === undefined ? undefined : (content, reference) => use(content, reference, connection),
  })
  const { config } = await normalizeConfig(manifest, filled, customToolsOf(manifest))
  const secrets = [...secretsOf(manifest, filled), ...secretsOf(manifest, config)]
  const isTaken = takenFiles(folder)
  let latest = written
  let unsaved: Config | null = null
  const write = async (changed: Config) => {
    const known = new Set([...secrets, ...secretsOf(manifest, changed)].filter((one) => typeof one === 'string'))
    const isSecret = (value: string) => known.has(value)
    const { config: after, files } = keepReferences({ written: latest, filled, changed, isSecret, isTaken })
    const changes = changesBetween(['config'], latest, after)
    const trouble = await trying(async () => {
      await writeSecrets(files, folder)
      if (changes.length === 0) return
      // Read again: a run may take hours, and an edit of someone else since then is kept.
      const before = await readFile(file, 'utf8')
      const edited = changes.reduce(
        (now, { at, value }) => (value === undefined ? removeIn(now, at) : setIn(now, at, value)),
        before,
      )
      if (edited !== before) await rewriteFile(file, Buffer.from(edited))
    })
    unsaved = trouble === null ? null : changed
    if (trouble !== null) return trouble
    for (const moved of sayMoved(latest, after, files, file)) warn(moved)
    latest = after
    return null
  }
  const save = async (changed: Config) => {
    const trouble = await write(changed)
    if (trouble === null) return
    warn(
      `The API replaced a token, and ${file} could not be written: ${trouble}. Make it writable, or free space, while this run lasts: it is tried again at the end.`,
    )
  }
  const saveAgain = async () => {
    if (unsaved === null) return
    const trouble = await write(unsaved)
    warn(
      trouble === null
        ? `The token that the API replaced is now in the config of ${file}.`
        : `The token that the API replaced is lost, since ${file} could not be written: ${trouble}. If the old one works only once, the next run cannot sign in: once the file can be written, get a new refresh token from the API and put it there.`,
    )
  }
  return { given: filled, config, redact: createRedactor(secrets).text, save, saveAgain }
}

/** The manifest that `connector` names. */
export async function connectionManifest(connection: Connection, home: string): Promise<LoadedManifest> {
  return loadConnector(await connectorPath(connection, home))
}

export async function connectionManifestText(connection: Connection, home: string): Promise<ManifestText> {
  return readConnector(await connectorPath(connection, home))
}

async function connectorPath({ connector, folder, locate }: Connection, home: string): Promise<string> {
  if (isPath(connector)) return shownPath(resolve(folder, connector))
  return findConnector(connector, home, { folder, at: locate(['connector']) })
}

/** Relative paths start at the folder of the connection. */
export async function connectionDestination(
  connection: Connection,
  { defaultDestination, checkDestination }: Pick<OpeningOptions, 'defaultDestination' | 'checkDestination'>,
): Promise<Destination> {
  const { destination, schema, folder, locate } = connection
  const at = locate(['destination'])
  const filled =
    destination === null
      ? null
      : await fillReferences({ destination }, { folder, locate: () => at, place: valueInAddress })
  if (filled !== null && destination !== null) await checkDestination?.(filled.destination, destination)
  const address = filled === null ? defaultDestination() : fromFolder(filled.destination, folder)
  const opened = destinationAt(address, schema === null ? {} : { schema })
  if (schema !== null && isFolderAddress(opened.address)) {
    throw new ConnectorError(
      'connections/invalid',
      `\`schema\` does not apply to ${opened.address}: a folder has no schemas.`,
      {
        at: locate(['schema']),
        hint: 'Remove `schema`, or use another folder.',
      },
    )
  }
  return opened
}

/** `duckdb:shop.duckdb` → the same with the path from the current folder. */
export function fromFolder(address: string, folder: string): string {
  return withPath(address, (path) => (isAbsolute(path) ? path : shownPath(resolve(folder, path))))
}
