/** What people called versions: `.history/labels.json`, by version. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../std/disk/durable.ts'
import { isObject } from '../../std/values/objects.ts'
import { ifExists } from './disk-errors.ts'
import { historyOf, makeHistoryFolder } from './history-folder.ts'

export type VersionLabels = Readonly<Record<string, string>>

const fileOf = (connector: string) => join(historyOf(connector), 'labels.json')

/** A file that cannot be read says nothing: the versions themselves are what counts. */
export async function labelsOf(connector: string): Promise<VersionLabels> {
  const text = await ifExists(readFile(fileOf(connector), 'utf8'))
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
  await replaceFile(fileOf(connector), Buffer.from(`${JSON.stringify(labels, null, 2)}\n`))
}
