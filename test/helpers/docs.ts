/** Pages of docs/: their sections, tables and code blocks, and the programs they show. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { transformSync } from 'rolldown/utils'

export const page = (name: string) => readFileSync(`docs/${name}.md`, 'utf8')

/** The text under a heading of the second level, up to the next one. */
export function section(name: string, heading: string): string {
  const [, found] = new RegExp(`^## ${heading}$(.*?)(?=^## |$(?![^]))`, 'ms').exec(page(name)) ?? []
  assert.ok(found, `docs/${name}.md has no section "${heading}"`)
  return found
}

/** The text between `<!-- mark -->` and `<!-- /mark -->` must be what the code gives. `TURNLEAF_WRITE_DOCS=1` writes it. */
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

/** The code blocks of a language, in order. */
export function blocksIn(text: string, language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, code]) => String(code))
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
