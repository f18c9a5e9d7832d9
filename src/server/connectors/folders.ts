/** `<home>/connectors/` → the folders of connectors in it, found by name and never by a path. */
import { lstat, mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { syncFolder } from '../../std/disk/durable.ts'
import { ConnectorError } from '../../std/errors.ts'
import { connectorName } from '../wire/connector.ts'
import { ifThere } from './disk-errors.ts'

export type ConnectorFolders = {
  /** Those with a name that a connector can have, and those without; what begins with a dot is neither. */
  list(): Promise<{ named: string[]; others: string[] }>
  /** What to watch: the folder of all connectors and that of each, or the place where it will be. */
  paths(): Promise<string[]>
  /** The folder of that name; null where there is none. Whether it holds a manifest is another question. */
  find(name: string): Promise<string | null>
  make(name: string): Promise<string>
  /** Moves the folder out of sight, with everything in it. */
  discard(name: string): Promise<void>
  /** Moves the folder of that name that was discarded last to where it was; null where there is none. */
  restore(name: string): Promise<string | null>
}

/** What stands before the name in the trash. */
const discardedAt = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-/

/**
 * @param home TURNLEAF_HOME.
 * @param leftOut paths of folders that are nobody's work here.
 */
export function connectorFolders(home: string, leftOut: readonly string[] = []): ConnectorFolders {
  const root = join(resolve(home), 'connectors')
  const trash = join(root, '.trash')
  const at = (name: string) => join(root, connectorName.parse(name))
  const isLeftOut = (name: string) => leftOut.includes(join(root, name))

  async function entries(): Promise<string[]> {
    const found = (await ifThere(readdir(root, { withFileTypes: true }))) ?? []
    return found
      .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .filter((name) => !isLeftOut(name))
      .toSorted()
  }

  return {
    async list() {
      const names = await entries()
      const isNamed = (name: string) => connectorName.safeParse(name).success
      return { named: names.filter(isNamed), others: names.filter((name) => !isNamed(name)) }
    },

    async paths() {
      if ((await ifThere(lstat(root))) === null) return [resolve(home)]
      const names = await entries()
      return [root, ...names.map((name) => join(root, name))]
    },

    async find(name) {
      const found = isLeftOut(name) ? null : await ifThere(lstat(at(name)))
      if (found?.isSymbolicLink()) {
        throw new ConnectorError('server/unreadable', `connectors/${name} is a link, and may lead anywhere.`)
      }
      return found?.isDirectory() ? at(name) : null
    },

    async make(name) {
      // Two names that differ by case are one folder on many disks.
      const similar = (await entries()).find((other) => other !== name && other.toLowerCase() === name)
      if (similar !== undefined || isLeftOut(name)) {
        throw new ConnectorError('server/exists', `There is a folder connectors/${similar ?? name}.`)
      }
      await mkdir(at(name), { recursive: true })
      await syncFolder(root)
      return at(name)
    },

    async discard(name) {
      const made = await mkdir(trash, { recursive: true })
      if (made !== undefined) await writeFile(join(trash, '.gitignore'), '*\n')
      const time = new Date().toISOString().replaceAll(':', '-')
      await rename(at(name), join(trash, `${time}-${name}`))
      await syncFolder(root)
    },

    async restore(name) {
      const discarded = (await ifThere(readdir(trash))) ?? []
      const last = discarded
        .filter((entry) => entry.replace(discardedAt, '') === name)
        .toSorted()
        .at(-1)
      if (last === undefined) return null
      await rename(join(trash, last), at(name))
      await syncFolder(root)
      return at(name)
    },
  }
}
