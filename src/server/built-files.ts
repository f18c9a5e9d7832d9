/** The web app's list of its own files → what a page of it always needs. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type BuiltFile = { readonly file: string; readonly imports?: readonly string[] }

/** The scripts that `source` cannot do without, in the order in which they are found; paths from the folder. */
export function neededFiles(folder: string, source: string): readonly string[] {
  const built = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as Readonly<Record<string, BuiltFile>>
  const needed = new Set<string>()
  const add = (name: string) => {
    const one = built[name]
    if (one === undefined || needed.has(one.file)) return
    needed.add(one.file)
    for (const other of one.imports ?? []) add(other)
  }
  add(source)
  return [...needed]
}
