/** Programs of their own, for processes and threads. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * The file of a program, by its path in `src/` without an ending. It is a separate file of the build; this module may be part
 * of a bundle in another folder.
 */
export function programFile(name: string): string {
  for (const above of ['./', '../', '../../', '../../../']) {
    for (const ending of ['js', 'ts']) {
      const file = fileURLToPath(new URL(`${above}${name}.${ending}`, import.meta.url))
      if (existsSync(file)) return file
    }
  }
  throw new Error(`The program ${name} is missing from this build.`)
}
