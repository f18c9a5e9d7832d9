/** A connector's folder → the files beside its manifest: classes of its own, schemas. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** A list for people. Folders of another size are something else. */
const most = 500

/** Paths from the folder. Links are named and not followed; installed packages, and what begins with a dot, are not its own. */
export async function filesBeside(folder: string, manifest: string): Promise<string[]> {
  const found: string[] = []
  const folders = ['']
  for (let place = folders.shift(); place !== undefined; place = folders.shift()) {
    for (const entry of await readdir(join(folder, place), { withFileTypes: true })) {
      const path = place === '' ? entry.name : `${place}/${entry.name}`
      if (entry.name.startsWith('.') || entry.name === 'node_modules' || path === manifest) continue
      if (entry.isDirectory()) folders.push(path)
      else found.push(path)
      if (found.length + folders.length >= most) return found.toSorted()
    }
  }
  return found.toSorted()
}
