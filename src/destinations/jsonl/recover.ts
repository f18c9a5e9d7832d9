/** A folder as a killed process left it → as the last commit left it. */
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { withFile } from '../file-errors.ts'
import type { Ledger } from './ledger.ts'
import type { TableFiles } from './ledger-entry.ts'
import { readLines } from './lines.ts'
import type { Places } from './places.ts'
import { sizeOf } from './refuse-changed.ts'
import { finishRenames, sweep } from './settle.ts'

export async function recover(ledger: Ledger, places: Places): Promise<void> {
  const tables = [...ledger.state.tables.values()]
  await finishRenames(tables, places)
  await sweep(tables, places)
  for (const { staged } of tables) {
    if (staged !== null) await cutBack(join(places.staged, staged.file), staged.length, async () => true)
  }
  for (const { file, live, isAppending } of tables) {
    if (isAppending && live !== null) await cutBack(join(places.folder, file), live.length, isOurs)
  }
  await endAppending(ledger)
}

/** From now on, what stands behind the length of a live file is not ours. */
export async function endAppending(ledger: Ledger): Promise<void> {
  const appending = [...ledger.state.tables].filter(([, { isAppending }]) => isAppending)
  if (appending.length === 0) return
  const ended = appending.map(([stream, files]): [string, TableFiles] => [stream, { ...files, isAppending: false }])
  await ledger.append({ tables: Object.fromEntries(ended) })
}

type MayCut = (path: string, from: number, to: number) => Promise<boolean>

async function cutBack(path: string, length: number, mayCut: MayCut): Promise<void> {
  await withFile(path, async () => {
    const size = await sizeOf(path)
    if (size !== null && size > length && (await mayCut(path, length, size))) await truncate(path, length)
  })
}

const ourEnd = /"_turnleaf_page":\d+\}\n$/

/**
 * Whether lines that were written and never committed may go: somebody may have added lines of their own since. The last
 * one may be torn, and one with zeros is what a machine leaves whose power failed.
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
