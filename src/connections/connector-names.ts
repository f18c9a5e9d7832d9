/** The folders in `TURNLEAF_HOME/connectors`, for suggestions. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

export async function connectorNames(home: string): Promise<string[]> {
  const entries = await readdir(join(home, 'connectors'), { withFileTypes: true }).catch(() => [])
  return entries
    .filter((one) => one.isDirectory() && !one.name.startsWith('.'))
    .map(({ name }) => name)
    .toSorted()
}
