/** Pages of docs/: what stands on them, and the programs they show. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { transformSync } from 'rolldown/utils'

export const page = (name: string) => readFileSync(`docs/${name}.md`, 'utf8')

/** What stands under a heading, up to the next of its level. */
export function section(name: string, heading: string): string {
  const [, found] = new RegExp(`^## ${heading}$(.*?)(?=^## |$(?![^]))`, 'ms').exec(page(name)) ?? []
  assert.ok(found, `docs/${name}.md has no section "${heading}"`)
  return found
}

/** Holds what stands between `<!-- mark -->` and `<!-- /mark -->` to the code. `TURNLEAF_WRITE_DOCS=1` writes it. */
export function holdPart(name: string, mark: string, expected: string): void {
  const [begin, end] = [`<!-- ${mark} -->\n`, `<!-- /${mark} -->`]
  const [before = '', rest = ''] = page(name).split(begin)
  const [written = '', after = ''] = rest.split(end)
  if (process.env['TURNLEAF_WRITE_DOCS'] === '1') {
    writeFileSync(`docs/${name}.md`, before + begin + expected + end + after)
  } else assert.equal(written, expected)
}

/** The cells of the rows of a table whose first cell is code. */
export function rowsIn(text: string): string[][] {
  return [...text.matchAll(/^\| `.*\|$/gm)].map(([row]) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** TypeScript as the docs show it → JavaScript that any folder may hold. */
export async function programOf(code: string): Promise<string> {
  const { code: program, errors } = transformSync('program.ts', code)
  assert.deepEqual(errors, [])
  return program.replace('"turnleaf"', JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href))
}

export async function runMain(folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['main.mjs'], { cwd: folder })
  return stdout
}
