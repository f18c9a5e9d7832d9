/** `<home>/connectors/` → its folders, found by name and never by a path. */
import { lstat, readdir, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { syncFolder } from '../../std/disk/durable.ts'
import { makeFolder } from '../../std/disk/make-folder.ts'
import { moveToTrash, trashPrefix } from '../../std/disk/trash.ts'
import { ConnectorError } from '../../std/errors.ts'
import { connectorName } from '../wire/connector.ts'
import { ifExists } from './disk-errors.ts'

export type ConnectorFolders = {
  /** Folders with a valid connector name, and others. Hidden folders are skipped. */
  list(): Promise<{ named: string[]; others: string[] }>
  /** The folders to watch: that of all connectors and that of each, or the parent if there is none yet. */
  paths(): Promise<string[]>
  /** The folder of that name, with or without a manifest; null where there is none. */
  find(name: string): Promise<string | null>
  make(name: string): Promise<string>
  /** Gives the folder another name, which no other folder has. */
  move(name: string, to: string): Promise<void>
  /** Moves the folder to the trash, with everything in it. */
  discard(name: string): Promise<void>
  /** Moves the folder of that name that was deleted last back; null where there is none. */
  restore(name: string): Promise<string | null>
}

/**
 * @param home TURNLEAF_HOME.
 * @param leftOut paths of folders that are not connectors of the user.
 */
export function connectorFolders(home: string, leftOut: readonly string[] = []): ConnectorFolders {
  const root = join(resolve(home), 'connectors')
  const trash = join(root, '.trash')
  const at = (name: string) => join(root, connectorName.parse(name))
  const isLeftOut = (name: string) => leftOut.includes(join(root, name))

  async function entries(): Promise<string[]> {
    const found = (await ifExists(readdir(root, { withFileTypes: true }))) ?? []
    return found
      .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .filter((name) => !isLeftOut(name))
      .toSorted()
  }

  /** Names that differ by case are the same folder on many disks. */
  async function refuseSimilar(name: string): Promise<void> {
    const similar = (await entries()).find((other) => other !== name && other.toLowerCase() === name)
    if (similar === undefined && !isLeftOut(name)) return
    throw new ConnectorError('server/exists', `There is already a folder connectors/${similar ?? name}.`)
  }

  return {
    async list() {
      const names = await entries()
      const isNamed = (name: string) => connectorName.safeParse(name).success
      return { named: names.filter(isNamed), others: names.filter((name) => !isNamed(name)) }
    },

    async paths() {
      if ((await ifExists(lstat(root))) === null) return [resolve(home)]
      const names = await entries()
      return [root, ...names.map((name) => join(root, name))]
    },

    async find(name) {
      const found = isLeftOut(name) ? null : await ifExists(lstat(at(name)))
      if (found?.isSymbolicLink()) {
        throw new ConnectorError('server/unreadable', `connectors/${name} is a symbolic link, which is not followed.`)
      }
      return found?.isDirectory() ? at(name) : null
    },

    async make(name) {
      await refuseSimilar(name)
      await makeFolder(at(name))
      await syncFolder(root)
      return at(name)
    },

    async move(name, to) {
      await refuseSimilar(to)
      if ((await ifExists(lstat(at(to)))) !== null) {
        throw new ConnectorError('server/exists', `There is already a folder connectors/${to}.`)
      }
      await rename(at(name), at(to))
      await syncFolder(root)
    },

    async discard(name) {
      await moveToTrash(at(name), trash)
    },

    async restore(name) {
      const discarded = (await ifExists(readdir(trash))) ?? []
      const last = discarded
        .filter((entry) => entry.replace(trashPrefix, '') === name)
        .toSorted()
        .at(-1)
      if (last === undefined) return null
      await rename(join(trash, last), at(name))
      await syncFolder(root)
      return at(name)
    },
  }
}
