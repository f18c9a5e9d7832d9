/** The files of a commit that has not happened yet, and the way back. */
import { randomUUID } from 'node:crypto'
import { constants, open, rm, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { withFile } from '../file-errors.ts'
import { syncFile, syncFolder } from '../../std/disk/durable.ts'
import type { FilePart } from './lines.ts'
import { refuseChanged } from './refuse-changed.ts'

export type Draft = {
  /** A path for a file that is not there yet. */
  newPath(): string
  /** An empty file of a name that none has. */
  create(): Promise<FilePart>
  /** Puts the chunks behind what counts of a file. */
  append(part: FilePart, chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<FilePart>
  /** Everything written is on the disk. */
  sync(): Promise<void>
  /** Every file is again as the last commit left it. */
  undo(): Promise<void>
}

/** Unlike `a`, it makes no file: one that is gone must not come back empty. */
const appendOnly = constants.O_WRONLY | constants.O_APPEND

/** @param folder for the files it makes. */
export function openDraft(folder: string): Draft {
  const made = new Set<string>()
  /** Path → length that the last commit gave it. */
  const grown = new Map<string, number>()
  const newPath = () => join(folder, `${randomUUID()}.jsonl`)

  return {
    newPath,
    async create() {
      const path = newPath()
      return await withFile(path, async () => {
        const file = await open(path, 'wx')
        made.add(path)
        await file.close()
        return { path, length: 0 }
      })
    },
    append: async ({ path, length }, chunks) =>
      await withFile(path, async () => {
        const file = await open(path, appendOnly)
        try {
          refuseChanged(path, length, (await file.stat()).size)
          if (!made.has(path) && !grown.has(path)) grown.set(path, length)
          let end = length
          for await (const chunk of chunks) {
            await file.appendFile(chunk)
            end += chunk.length
          }
          return { path, length: end }
        } finally {
          await file.close()
        }
      }),
    async sync() {
      for (const path of [...made, ...grown.keys()]) await withFile(path, async () => await syncFile(path))
      if (made.size > 0) await syncFolder(folder)
    },
    async undo() {
      for (const path of made) await rm(path, { force: true })
      for (const [path, length] of grown) await truncate(path, length)
    },
  }
}
