/** A DuckDB file, opened for queries that may see its tables and nothing else of this machine. */
import { literal, openDuckSession, type DuckSession } from './session.ts'
import { loadDuckDb } from './load.ts'

export type Confinement = {
  /** The DuckDB file, or a copy of it. */
  readonly file: string
  /** Where DuckDB may write what does not fit into memory. */
  readonly spillFolder: string
  readonly limits: {
    /** For DuckDB itself, which then spills to disk or fails. */
    readonly databaseMebibytes: number
    readonly spillMebibytes: number
  }
}

export async function openConfined({ file, spillFolder, limits }: Confinement): Promise<DuckSession> {
  const { DuckDBInstance } = await loadDuckDb()
  const instance = await DuckDBInstance.create(file, {
    access_mode: 'READ_ONLY',
    memory_limit: `${limits.databaseMebibytes}MiB`,
    threads: '2',
  })
  const session = await openDuckSession(instance)
  const settings = [
    `temp_directory = ${literal(spillFolder)}`,
    `max_temp_directory_size = '${limits.spillMebibytes}MiB'`,
    'autoinstall_known_extensions = false',
    'autoload_known_extensions = false',
    'allow_community_extensions = false',
    'enable_external_access = false',
    'lock_configuration = true',
  ]
  for (const setting of settings) await session.run(`SET ${setting}`)
  return {
    ...session,
    close() {
      session.close()
      instance.closeSync()
    },
  }
}
