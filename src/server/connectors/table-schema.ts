/**
 * Where the tables, checkpoints and runs of a connector are in the embedded database: in the schema of its name. A connector
 * that gets another name keeps its schema, since a database does not rename one; `.history/schema` has the name.
 */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../../std/disk/durable.ts'
import { ifExists } from './disk-errors.ts'
import { historyOf, makeHistoryFolder } from './history-folder.ts'

const fileOf = (folder: string) => join(historyOf(folder), 'schema')

export function tableSchemaOf(home: string, connector: string): string {
  try {
    return readFileSync(fileOf(join(home, 'connectors', connector)), 'utf8').trim() || connector
  } catch {
    return connector
  }
}

/** Before the folder gets another name. */
export async function keepTableSchema(folder: string, name: string): Promise<void> {
  if ((await ifExists(readFile(fileOf(folder)))) === null) await writeTableSchema(folder, name)
}

/** A new connector may have a name whose tables are those of a renamed one: its own go elsewhere. */
export async function chooseTableSchema(
  folder: string,
  name: string,
  others: readonly string[],
  home: string,
): Promise<void> {
  const taken = new Set(others.map((other) => tableSchemaOf(home, other)))
  if (!taken.has(name)) return
  let count = 2
  while (taken.has(`${name}_${count}`)) count += 1
  await writeTableSchema(folder, `${name}_${count}`)
}

async function writeTableSchema(folder: string, schema: string): Promise<void> {
  await makeHistoryFolder(folder)
  await replaceFile(fileOf(folder), Buffer.from(`${schema}\n`))
}
