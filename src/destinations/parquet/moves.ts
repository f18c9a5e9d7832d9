/**
 * Files that change with a transaction: it stores what is to be done, which is then done after the commit.
 * After a crash in between, the next process that opens the folder does it. Doing it twice changes nothing.
 */
import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { SchemaHandle } from '../duckdb/schema-handle.ts'
import { syncFile, syncFolder } from '../../std/disk/durable.ts'
import { renameIfThere, withFile } from '../file-operations.ts'
import { makeFolder } from '../../std/disk/make-folder.ts'

export type Moves = {
  /** Writes a draft now that is renamed to `to` once the transaction is committed. Paths are relative to the folder. */
  put(to: string, write: (path: string) => Promise<void>): Promise<void>
  /** The current path of a file: its own, or that of a draft of the current transaction. */
  current(path: string): Promise<string>
  /** Removes a file once the transaction is committed. */
  remove(path: string): Promise<void>
  /** Applies the moves of committed transactions. */
  finish(): Promise<void>
}

/** Hidden, and without `.parquet`, so that no reader picks it up. */
const draftName = /^\.next-[0-9a-f-]{36}$/

export function isDraft(name: string): boolean {
  return draftName.test(name)
}

export async function openMoves(handle: SchemaHandle, folder: string): Promise<Moves> {
  const { session } = handle
  const moves = handle.table('_turnleaf_moves')
  await session.run(`CREATE TABLE IF NOT EXISTS ${moves} (draft VARCHAR, path VARCHAR)`)
  await removeLeftovers(folder, await drafts())

  async function drafts(): Promise<ReadonlySet<string>> {
    const rows = await session.rows(`SELECT draft FROM ${moves} WHERE draft IS NOT NULL`)
    return new Set(rows.map(({ draft }) => String(draft)))
  }

  return {
    async put(to, write) {
      const draft = join(dirname(to), `.next-${randomUUID()}`)
      const path = join(folder, draft)
      await withFile(path, async () => {
        await makeFolder(dirname(path))
        try {
          await write(path)
          await syncFile(path)
        } catch (error) {
          // It may have filled the disk.
          await rm(path, { force: true }).catch(() => {})
          throw error
        }
      })
      await session.run(`INSERT INTO ${moves} VALUES ($draft, $to)`, { draft, to })
    },
    async current(path) {
      const [draft] = await session.rows(
        `SELECT draft FROM ${moves} WHERE path = $path AND draft IS NOT NULL ORDER BY rowid DESC LIMIT 1`,
        { path },
      )
      return join(folder, draft === undefined ? path : String(draft.draft))
    },
    async remove(path) {
      await session.run(`INSERT INTO ${moves} VALUES (NULL, $path)`, { path })
    },
    async finish() {
      const rows = (await session.rows(`SELECT draft, path FROM ${moves} ORDER BY rowid`)) as readonly Move[]
      if (rows.length === 0) return
      const touched = new Set<string>()
      for (const { draft, path } of rows) {
        const final = join(folder, path)
        if (draft === null) await withFile(final, () => rm(final, { force: true }))
        else await renameIfThere(join(folder, draft), final)
        touched.add(dirname(final))
      }
      for (const one of touched) await syncFolder(one)
      await session.run(`DELETE FROM ${moves}`)
    },
  }
}

/** Without a draft the file is removed. */
type Move = { readonly draft: string | null; readonly path: string }

/** Drafts of transactions that were never committed. */
async function removeLeftovers(folder: string, wanted: ReadonlySet<string>): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    for (const name of await readdir(join(folder, entry.name))) {
      const path = join(entry.name, name)
      if (isDraft(name) && !wanted.has(path)) await rm(join(folder, path), { force: true })
    }
  }
}
