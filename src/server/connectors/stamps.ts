/** The folders of connectors → a mark for each manifest that changes when the file does. Nothing is read for it. */
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { manifestNames } from '../../connector/load-manifest.ts'
import type { ConnectorFolders } from './folders.ts'

export type Stamps = ReadonlyMap<string, string>

/** Connectors by name; one that cannot be looked at has no stamp, as if it were gone. */
export async function stampsOf(folders: ConnectorFolders): Promise<Stamps> {
  const { named } = await folders.list()
  const found = await Promise.all(named.map(async (name) => [name, await stampOf(folders, name)] as const))
  return new Map(found.flatMap(([name, stamp]) => (stamp === null ? [] : [[name, stamp]])))
}

async function stampOf(folders: ConnectorFolders, name: string): Promise<string | null> {
  const folder = await folders.find(name).catch(() => null)
  if (folder === null) return null
  for (const file of manifestNames) {
    const found = await lstat(join(folder, file)).catch(() => null)
    // The time of the last change of any kind: dates of contents can be set to what they were.
    if (found?.isFile()) return [file, found.ino, found.ctimeMs, found.size].join(' ')
  }
  return null
}
