/** A folder for one query, next to the database: what DuckDB spills, and a copy of a file that a sync is writing. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const prefix = '.turnleaf-query-'

export async function makeQueryFolder(database: string): Promise<string> {
  const parent = dirname(database)
  await removeAbandoned(parent)
  const name = `${prefix}${process.pid}-`
  return mkdtemp(join(parent, name)).catch(() => mkdtemp(join(tmpdir(), name)))
}

/** Of a server that was killed in the middle of a query. */
async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const [, pid] = new RegExp(`^\\${prefix}(\\d+)-`).exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(parent, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process has this number: it runs all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
