/** Connectors as plain folders that git and people can read: list, open, save, delete, restore, past versions. */
import { manifestNames } from '../../connector/load-manifest.ts'
import { ConnectorError } from '../../std/errors.ts'
import { oneAtATime } from '../../std/one-at-a-time.ts'
import { type LargeManifests, openLargeManifests } from '../large-manifests.ts'
import type { Connector, ConnectorListing, PastVersion, SavedConnector } from '../wire/connector.ts'
import { type ChangeListener, openChanges } from './changes.ts'
import { onDisk } from './disk-errors.ts'
import { connectorFolders } from './folders.ts'
import { keepVersion, labelsOf, labelVersion, type PastFile, pastFiles, readPast, versionSize } from './history.ts'
import { historyOf } from './history-folder.ts'
import { listingOf } from './summary.ts'
import {
  manifestBytes,
  type ManifestFile,
  readManifestFile,
  manifestFileText,
  versionOf,
  writeManifestFile,
} from './manifest-file.ts'
import { pollChanges, watchFolders } from './poll-changes.ts'
import { whileLocked } from './save-lock.ts'
import { chooseTableSchema, keepTableSchema } from './table-schema.ts'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

export type Connectors = {
  list(): Promise<Omit<ConnectorListing, 'home'>>
  open(name: string): Promise<Connector>
  /** The folder with its custom classes and schemas. */
  folderOf(name: string): Promise<string>
  /** The same without a check for a manifest; null for a connector that is not saved yet, which has no classes. */
  folderIfSaved(name: string | undefined): Promise<string | null>
  create(name: string, text: string): Promise<SavedConnector>
  /** Of two changes based on the same version one is saved; the other gets the current version. */
  save(name: string, text: string, basedOn: string): Promise<SaveOutcome>
  /** The whole folder, with its versions. Builders that have it open are told the new name. */
  rename(name: string, to: string): Promise<SavedConnector>
  remove(name: string): Promise<void>
  /** Restores the connector of this name that was deleted last, with its whole folder. */
  restore(name: string): Promise<SavedConnector>
  /** Newest first. */
  versions(name: string): Promise<PastVersion[]>
  textAt(name: string, version: string): Promise<string>
  /** What a person calls a version; an empty text removes the label. */
  label(name: string, version: string, label: string): Promise<void>
  /** Saves, deletions and changes on disk. Resolves to a function that stops listening, once no change is missed. */
  listen(listener: ChangeListener): Promise<() => void>
}

type SaveOutcome =
  | { readonly kind: 'saved'; readonly saved: SavedConnector }
  | { readonly kind: 'changed-meanwhile'; readonly version: string }

type ConnectorsOptions = {
  /** TURNLEAF_HOME. */
  readonly home: string
  /** Folders that are not connectors of the user. */
  readonly leftOut?: readonly string[] | undefined
  readonly large?: LargeManifests
}

export function openConnectors({ home, leftOut, large = openLargeManifests() }: ConnectorsOptions): Connectors {
  const folders = connectorFolders(home, leftOut)
  const oneAfterAnother = oneAtATime()
  const list = listingOf(folders, large)
  const changes = openChanges(() => watchFolders(() => folders.paths(), pollChanges(folders, notice)))

  /** One change of a connector at a time; errors of the disk say what could not be done. */
  const inTurn = <T>(name: string, done: string, use: () => Promise<T>): Promise<T> =>
    onDisk(`"${name}" cannot be ${done}`, () => oneAfterAnother(name, use))

  /** In one order, whichever name is the old one: two renames that cross each other would wait for ever. */
  const bothInTurn = <T>(one: string, other: string, use: () => Promise<T>): Promise<T> => {
    if (one === other) return oneAfterAnother(one, use)
    const [first, second] = one < other ? [one, other] : [other, one]
    return oneAfterAnother(first, () => oneAfterAnother(second, use))
  }

  async function find(name: string): Promise<{ folder: string; manifest: ManifestFile }> {
    const folder = await folders.find(name)
    const manifest = folder === null ? null : await readManifestFile(folder)
    if (folder === null || manifest === null) {
      throw new ConnectorError('server/not-found', `There is no connector "${name}".`)
    }
    return { folder, manifest }
  }

  async function refuseTaken(name: string): Promise<void> {
    if ((await folders.find(name)) !== null) throw taken(name)
  }

  async function write(name: string, folder: string, bytes: Buffer, before: ManifestFile | null) {
    if (before !== null) await keepVersion(folder, before)
    const written = { file: before?.file ?? manifestNames[0], bytes, version: versionOf(bytes), changedAt: new Date() }
    await keepVersion(folder, written)
    await writeManifestFile(folder, bytes, before, historyOf(folder))
    changes.announce(name, written.version)
    return savedAs(name, written)
  }

  /** A read-only disk does not prevent reading. */
  async function remember(folder: string, manifest: ManifestFile): Promise<void> {
    await keepVersion(folder, manifest).catch(() => {})
  }

  /** Serialized with saves, so that versions are announced in order. */
  async function notice(name: string): Promise<void> {
    await oneAfterAnother(name, async () => {
      const found = await find(name).catch(() => null)
      if (found !== null) await remember(found.folder, found.manifest)
      changes.announce(name, found?.manifest.version ?? null)
    })
  }

  return {
    list: () => onDisk('The connectors cannot be listed', list),

    open: (name) =>
      inTurn(name, 'opened', async () => {
        const { folder, manifest } = await find(name)
        const text = manifestFileText(manifest)
        await remember(folder, manifest)
        return { ...savedAs(name, manifest), text, files: await otherFiles(folder, manifest.file) }
      }),

    folderIfSaved: async (name) => (name === undefined ? null : folders.find(name)),
    folderOf: (name) => inTurn(name, 'opened', async () => (await find(name)).folder),

    create: (name, text) =>
      inTurn(name, 'created', async () => {
        const bytes = manifestBytes(text)
        const found = await folders.find(name)
        if (found !== null) await refuseManifest(name, found)
        const folder = await folders.make(name)
        return whileLocked(name, folder, async () => {
          await refuseManifest(name, folder)
          const { named } = await folders.list()
          const others = named.filter((other) => other !== name)
          await chooseTableSchema(folder, name, others, home)
          return write(name, folder, bytes, null)
        })
      }),

    save: (name, text, basedOn) =>
      inTurn(name, 'saved', async (): Promise<SaveOutcome> => {
        const bytes = manifestBytes(text)
        const { folder, manifest } = await find(name)
        if (manifest.version === versionOf(bytes)) {
          await remember(folder, manifest)
          return { kind: 'saved', saved: savedAs(name, manifest) }
        }
        if (manifest.version !== basedOn) return { kind: 'changed-meanwhile', version: manifest.version }
        return whileLocked(name, folder, async () => {
          // Another process may have saved while this one waited.
          const { manifest: current } = await find(name)
          if (current.version !== basedOn) return { kind: 'changed-meanwhile', version: current.version }
          return { kind: 'saved', saved: await write(name, folder, bytes, current) }
        })
      }),

    rename: (name, to) =>
      onDisk(`"${name}" cannot be renamed`, () =>
        bothInTurn(name, to, async () => {
          const { folder, manifest } = await find(name)
          await refuseTaken(to)
          await keepTableSchema(folder, name)
          await folders.move(name, to)
          changes.announce(name, null, to)
          changes.announce(to, manifest.version)
          return savedAs(to, manifest)
        }),
      ),

    remove: (name) =>
      inTurn(name, 'deleted', async () => {
        await find(name)
        await folders.discard(name)
        changes.announce(name, null)
      }),

    restore: (name) =>
      inTurn(name, 'restored', async () => {
        await refuseTaken(name)
        const folder = await folders.restore(name)
        const manifest = folder === null ? null : await readManifestFile(folder)
        if (manifest === null) throw new ConnectorError('server/not-found', `There is no "${name}" in the trash.`)
        changes.announce(name, manifest.version)
        return savedAs(name, manifest)
      }),

    versions: (name) =>
      inTurn(name, 'opened', async () => {
        const { folder, manifest } = await find(name)
        await remember(folder, manifest)
        const [past, labels] = [await pastFiles(folder), await labelsOf(folder)]
        return Promise.all(
          past.map(async (one) => ({
            version: one.version,
            savedAt: one.savedAt.toISOString(),
            bytes: await versionSize(one),
            isCurrent: one.version === manifest.version,
            label: labels[one.version] ?? null,
          })),
        )
      }),

    textAt: (name, version) =>
      inTurn(name, 'opened', async () => {
        const { folder } = await find(name)
        return readPast(await pastIn(name, folder, version))
      }),

    label: (name, version, label) =>
      onDisk(`The version of "${name}" cannot be named`, () =>
        oneAfterAnother(name, async () => {
          const { folder } = await find(name)
          await pastIn(name, folder, version)
          await labelVersion(folder, version, label)
        }),
      ),

    listen: (listener) => changes.listen(listener),
  }
}

function savedAs(name: string, { version, changedAt }: Pick<ManifestFile, 'version' | 'changedAt'>): SavedConnector {
  return { name, version, changedAt: changedAt.toISOString() }
}

function taken(name: string): ConnectorError {
  return new ConnectorError('server/exists', `A connector "${name}" already exists.`)
}

/** A folder without a manifest may become a connector. */
async function refuseManifest(name: string, folder: string): Promise<void> {
  if ((await readManifestFile(folder)) !== null) throw taken(name)
}

async function pastIn(name: string, folder: string, version: string): Promise<PastFile> {
  const past = (await pastFiles(folder)).find((one) => one.version === version)
  if (past !== undefined) return past
  throw new ConnectorError('server/not-found', `"${name}" has no version \`${version}\`.`, {
    hint: 'Choose one from the list of versions.',
  })
}

/** Enough for a connector; larger folders are cut. */
const most = 500

/** The other files of the folder, as relative paths. Links are not followed; `node_modules` and hidden files are skipped. */
async function otherFiles(folder: string, manifest: string): Promise<string[]> {
  const found: string[] = []
  const folders = ['']
  for (let inner = folders.shift(); inner !== undefined; inner = folders.shift()) {
    for (const entry of await readdir(join(folder, inner), { withFileTypes: true })) {
      const path = inner === '' ? entry.name : `${inner}/${entry.name}`
      if (entry.name.startsWith('.') || entry.name === 'node_modules' || path === manifest) continue
      if (entry.isDirectory()) folders.push(path)
      else found.push(path)
      if (found.length + folders.length >= most) return found.toSorted()
    }
  }
  return found.toSorted()
}
