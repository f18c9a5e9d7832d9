/** The past versions of a connector, as files in its folder, and what people called them: `.history/<time>-<version>.yaml`, `.history/labels.json`. */
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { replaceFile } from '../../std/disk/durable.ts'
import { ifExists } from './disk-errors.ts'
import type { ManifestFile } from './manifest-file.ts'
import { historyOf, makeHistoryFolder } from './history-folder.ts'
import { isObject } from '../../std/values/objects.ts'

export type PastFile = { readonly path: string; readonly version: string; readonly savedAt: Date }

const mostVersions = 100

/** Newest first. */
export async function pastFiles(connector: string): Promise<PastFile[]> {
  const folder = historyOf(connector)
  const names = (await ifExists(readdir(folder))) ?? []
  return names
    .flatMap((name) => {
      const [, day, time, version] = /^(\d{4}-\d\d-\d\d)T(\d\d-\d\d-\d\d\.\d{3})Z-([0-9a-f]{16})\.\w+$/.exec(name) ?? []
      if (day === undefined || time === undefined || version === undefined) return []
      return [{ path: join(folder, name), version, savedAt: new Date(`${day}T${time.replaceAll('-', ':')}Z`) }]
    })
    .toSorted((one, other) => other.savedAt.getTime() - one.savedAt.getTime())
}

/**
 * Keeps a version, unless it is the newest. An older one that comes back becomes the newest; equal versions are kept once.
 * Of more than a hundred the oldest go, except those with a label.
 */
export async function keepVersion(connector: string, kept: Omit<ManifestFile, 'mode'>): Promise<void> {
  const past = await pastFiles(connector)
  const [newest] = past
  if (newest?.version === kept.version) return
  const path = join(historyOf(connector), nameOf(kept, newest))
  const same = past.find(({ version }) => version === kept.version)
  if (same !== undefined) return rename(same.path, path)
  await makeHistoryFolder(connector)
  await replaceFile(path, kept.bytes)
  const labels = past.length < mostVersions ? {} : await labelsOf(connector)
  for (const { path: old, version } of past.slice(mostVersions - 1)) {
    if (labels[version] === undefined) await rm(old, { force: true })
  }
}

/** Always later than the newest version, also for files copied with old dates and clocks that were set back. */
function nameOf({ file, version, changedAt }: Omit<ManifestFile, 'mode'>, newest: PastFile | undefined): string {
  const time = new Date(Math.max(changedAt.getTime(), (newest?.savedAt.getTime() ?? -1) + 1))
  return `${time.toISOString().replaceAll(':', '-')}-${version}${extname(file)}`
}

export async function readPast({ path }: PastFile): Promise<string> {
  return readFile(path, 'utf8')
}

export async function versionSize({ path }: PastFile): Promise<number> {
  return (await stat(path)).size
}

type VersionLabels = Readonly<Record<string, string>>

/** By version. A file that cannot be read says nothing: the versions themselves are what counts. */
export async function labelsOf(connector: string): Promise<VersionLabels> {
  const text = await ifExists(readFile(labelsFile(connector), 'utf8'))
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    if (!isObject(value)) return {}
    const labels = Object.entries(value).filter((one): one is [string, string] => typeof one[1] === 'string')
    return Object.fromEntries(labels)
  } catch {
    return {}
  }
}

/** @param label in one line; an empty one removes it. */
export async function labelVersion(connector: string, version: string, label: string): Promise<void> {
  const { [version]: _, ...others } = await labelsOf(connector)
  const text = label.replaceAll(/\s+/g, ' ').trim()
  const labels = text === '' ? others : { ...others, [version]: text }
  await makeHistoryFolder(connector)
  await replaceFile(labelsFile(connector), Buffer.from(`${JSON.stringify(labels, null, 2)}\n`))
}

function labelsFile(connector: string): string {
  return join(historyOf(connector), 'labels.json')
}
