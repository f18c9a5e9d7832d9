/** `.history/` in the folder of a connector: what this machine knows about it, and git ignores. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../std/disk/make-folder.ts'

export function historyOf(connector: string): string {
  return join(connector, '.history')
}

/** With a .gitignore: git has its own history. */
export async function makeHistoryFolder(connector: string): Promise<void> {
  const folder = historyOf(connector)
  const made = await makeFolder(folder)
  if (made !== undefined) await writeFile(join(folder, '.gitignore'), '*\n')
}
