/** What follows from a commit, done after it, and once more by the next process if this one did not live to do it. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from '../../std/disk/durable.ts'
import { renameIfThere } from '../rename-if-there.ts'
import type { TableFiles } from './ledger-entry.ts'
import type { Places } from './places.ts'

/** Puts published files into their places. Names among the staged are never used twice. */
export async function finishRenames(tables: Iterable<TableFiles>, { staged, folder }: Places): Promise<void> {
  for (const { file, live } of tables) {
    const from = live?.madeFrom ?? null
    if (from !== null) await renameIfThere(join(staged, from), join(folder, file))
  }
  await syncFolder(folder)
}

/** Removes what no table needs any more, and what a commit that never happened left. */
export async function sweep(tables: Iterable<TableFiles>, { staged }: Places): Promise<void> {
  const needed = new Set([...tables].map((files) => files.staged?.file))
  for (const name of await readdir(staged)) {
    if (!needed.has(name)) await rm(join(staged, name), { force: true })
  }
}
