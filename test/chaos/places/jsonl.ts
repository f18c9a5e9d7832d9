/** A folder of JSONL files. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TableContents } from '../compare.ts'
import { type PlaceKind, tablesNamed, tempFolder } from './place.ts'

export const jsonl: PlaceKind = {
  name: 'JSONL',
  isShared: true,
  fileLimit: 32,
  diskSize: '80k',
  make: async () => {
    const folder = await tempFolder()
    return {
      address: `jsonl:${folder.path}`,
      read: async (names) =>
        await tablesNamed(names, async (name) => await readLines(join(folder.path, `${name}.jsonl`))),
      [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
    }
  },
}

/** Lines say themselves what their fields are. */
async function readLines(path: string): Promise<TableContents | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return text === null ? null : { columns: [], rows: text.split('\n').filter((line) => line !== '') }
}
