/** A page of docs that shows manifests and commands → its entries, each with what to run and what that must print. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { page } from './docs.ts'

export type Entry = {
  readonly heading: string
  /** `/faults/cycle/cursor`; undefined where no manifest is shown. */
  readonly path: string | undefined
  /** What stands under `retriever`. */
  readonly yaml: string
  /** `turnleaf diagnose …`, in order. */
  readonly commands: readonly string[]
  /** Whether an output shows lines to change. */
  readonly hasFix: boolean
}

/** What stands under each heading of the second and third level, where a command is shown. */
export function entriesOf(name: string): Entry[] {
  return page(name)
    .split(/^###? /m)
    .slice(1)
    .map((text) => {
      const [, path, yaml = ''] = /^```yaml\n# (?:GET|POST) (\/\S+)\n(.*?)^```$/ms.exec(text) ?? []
      const commands = [...text.matchAll(/^\$ (turnleaf .*)$/gm)].map(([, command = '']) => command)
      return { heading: text.slice(0, text.indexOf('\n')), path, yaml, commands, hasFix: /^ {2}fix /m.test(text) }
    })
    .filter(({ commands }) => commands.length > 0)
}

/** The manifest that the page shows whole, with the path and the parts of an entry in it. */
export function manifestOf(name: string, { path = '', yaml }: Entry, url: string): string {
  const [, frame = ''] = /^```yaml\n# orders\.yaml\n(.*?)^```$/ms.exec(page(name)) ?? []
  const parts = yaml.replace(/^(?=.)/gm, ' '.repeat(6))
  const [, requester = '', others = ''] = /^(?: {6}requester:\n((?: {8}.*\n)+))?(.*)$/s.exec(parts) ?? []
  const shared = others.includes('record_selector:') ? frame.replace(/^ {6}record_selector:\n.*/ms, '') : frame
  return shared
    .replace('http://127.0.0.1:8082', url)
    .replace(/^ {8}path: .*\n/m, () => `        path: ${path}\n${requester}`)
    .concat(others)
}

/** Holds what a command prints to what the page shows behind it. `TURNLEAF_WRITE_DOCS=1` writes it. */
export function holdOutput(name: string, heading: string, command: string, printed: string): void {
  const text = page(name)
  const entryAt = [`\n## ${heading}\n`, `\n### ${heading}\n`].map((line) => text.indexOf(line)).find((at) => at >= 0)
  const begin = text.indexOf(`\n$ ${command}\n`, entryAt) + `\n$ ${command}\n`.length
  const end = text.indexOf('```\n', begin)
  if (process.env['TURNLEAF_WRITE_DOCS'] === '1') {
    writeFileSync(`docs/${name}.md`, text.slice(0, begin) + printed + text.slice(end))
  } else assert.equal(printed, text.slice(begin, end), `${heading}: ${command}`)
}
