/** Restores a folder, after a crash, to the state of the last commit. */
import { readdir, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { renameIfThere, withFile } from '../file-operations.ts'
import { syncFolder } from '../../std/disk/durable.ts'
import type { Ledger, LedgerTable } from './ledger.ts'
import { readLines, fileSize } from './lines.ts'
import type { ConnectionPaths } from './paths.ts'

export async function recover(ledger: Ledger, paths: ConnectionPaths): Promise<void> {
  const tables = [...ledger.state.tables.values()]
  await finishRenames(tables, paths)
  await sweep(tables, paths)
  for (const { staged } of tables) {
    if (staged !== null) await cutBack(join(paths.staged, staged.file), staged.length, async () => true)
  }
  for (const { file, live, isAppending } of tables) {
    if (isAppending && live !== null) await cutBack(join(paths.folder, file), live.length, isOurs)
  }
  await endAppending(ledger)
}

/** From now on, what follows the length of a live file is not ours. */
export async function endAppending(ledger: Ledger): Promise<void> {
  const appending = [...ledger.state.tables].filter(([, { isAppending }]) => isAppending)
  if (appending.length === 0) return
  const ended = appending.map(([stream, files]): [string, LedgerTable] => [stream, { ...files, isAppending: false }])
  await ledger.append({ tables: Object.fromEntries(ended) })
}

type MayCut = (path: string, from: number, to: number) => Promise<boolean>

async function cutBack(path: string, length: number, mayCut: MayCut): Promise<void> {
  await withFile(path, async () => {
    const size = await fileSize(path)
    if (size !== null && size > length && (await mayCut(path, length, size))) await truncate(path, length)
  })
}

const ourEnd = /"_turnleaf_page":\d+\}\n$/

/**
 * Whether lines that were written and never committed may be deleted: a user may have added lines since. The last
 * one may be incomplete; a line with zeros is what a power failure leaves.
 */
async function isOurs(path: string, from: number, to: number): Promise<boolean> {
  for await (const lines of readLines({ path, length: to }, from)) {
    for (const line of lines) {
      const isWhole = line.at(-1) === 10
      if (isWhole && !line.includes(0) && !ourEnd.test(line.toString())) return false
    }
  }
  return true
}

/** Renames published files into place. Names of staged files are never reused. */
export async function finishRenames(tables: Iterable<LedgerTable>, { staged, folder }: ConnectionPaths): Promise<void> {
  for (const { file, live } of tables) {
    const from = live?.madeFrom ?? null
    if (from !== null) await renameIfThere(join(staged, from), join(folder, file))
  }
  await syncFolder(folder)
}

/** Removes staged files that no table needs, and those of failed commits. */
export async function sweep(tables: Iterable<LedgerTable>, { staged }: ConnectionPaths): Promise<void> {
  const needed = new Set([...tables].map((files) => files.staged?.file))
  for (const name of await readdir(staged)) {
    if (!needed.has(name)) await rm(join(staged, name), { force: true })
  }
}
