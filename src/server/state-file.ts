/** A small JSON object in `.turnleaf/` of TURNLEAF_HOME, which the server remembers. It holds no secret and may be deleted. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../std/values/objects.ts'

export type StateFile = {
  /** Read each time: another server may have the same home. What cannot be read is empty. */
  readonly read: () => Readonly<Record<string, unknown>>
  /** @returns false where the disk refuses it. */
  readonly write: (value: Readonly<Record<string, unknown>>) => boolean
}

export function openStateFile(home: string, name: string): StateFile {
  const folder = join(home, '.turnleaf')
  const file = join(folder, name)
  return {
    read() {
      try {
        const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
        return isObject(value) ? value : {}
      } catch {
        return {}
      }
    },
    write(value) {
      const draft = `${file}.${process.pid}`
      try {
        mkdirSync(folder, { recursive: true })
        writeFileSync(join(folder, '.gitignore'), '*\n')
        writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`)
        renameSync(draft, file)
        return true
      } catch {
        return false
      }
    },
  }
}
