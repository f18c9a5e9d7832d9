/** A text with manifests and commands → its entries, each with what to run and what that must print. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'

export type Entry = {
  readonly heading: string
  /** `/faults/cycle/cursor`; undefined where no manifest is shown. */
  readonly path: string | undefined
  /** What belongs under `retriever`. */
  readonly yaml: string
  /** In order, as shown: `npx turnleaf diagnose …  # GET /faults/html/offset`. */
  readonly commands: readonly string[]
  /** Whether an output shows lines to change. */
  readonly hasFix: boolean
}

/** The sections of the second and third level that show a command. */
export function entriesOf(file: string): Entry[] {
  return readFileSync(file, 'utf8')
    .split(/^###? /m)
    .slice(1)
    .map((text) => {
      const [, own, yaml = ''] = /^```yaml\n# (?:GET|POST) (\/\S+)\n(.*?)^```$/ms.exec(text) ?? []
      const commands = [...text.matchAll(/^\$ (npx turnleaf .*)$/gm)].map(([, command = '']) => command)
      const [, shared] = / {2}# GET (\S+)$/m.exec(commands.join('\n')) ?? []
      return {
        heading: text.slice(0, text.indexOf('\n')),
        path: own ?? shared,
        yaml: own === undefined && shared !== undefined ? sharedPart(file, shared) : yaml,
        commands,
        hasFix: /^ {2}fix /m.test(text),
      }
    })
    .filter(({ commands }) => commands.length > 0)
}

/** The paginator that the text has once, for all paths that end so. */
function sharedPart(file: string, path: string): string {
  const [, ending] = /\/(\w+)(?:\?.*)?$/.exec(path) ?? []
  const [, yaml] =
    new RegExp(`^\`\`\`yaml\\n# …/${ending}\\n(.*?)^\`\`\`$`, 'ms').exec(readFileSync(file, 'utf8')) ?? []
  assert.ok(yaml, `${file} shows no paginator for ${path}`)
  return yaml
}

/** As it is typed, without the path that the text adds. */
export const typedOf = (command: string) => command.replace(/ {2}# GET \S+$/, '')

/** The manifest that the text has whole, with the path and the parts of an entry in it. */
export function manifestOf(file: string, { path = '', yaml }: Entry, url: string): string {
  const [, frame = ''] = /^```yaml\n# orders\.yaml\n(.*?)^```$/ms.exec(readFileSync(file, 'utf8')) ?? []
  const parts = yaml.replace(/^(?=.)/gm, ' '.repeat(6))
  const [, requester = '', others = ''] = /^(?: {6}requester:\n((?: {8}.*\n)+))?(.*)$/s.exec(parts) ?? []
  const shared = others.includes('record_selector:') ? frame.replace(/^ {6}record_selector:\n.*/ms, '') : frame
  return shared
    .replace('http://127.0.0.1:8082', url)
    .replace(/^ {8}path: .*\n/m, () => `        path: ${path}\n${requester}`)
    .concat(others)
}

/** What a command prints must be what the text shows after it. `TURNLEAF_WRITE_DOCS=1` writes it. */
export function holdOutput(file: string, heading: string, command: string, printed: string): void {
  const text = readFileSync(file, 'utf8')
  const entryAt = [`\n## ${heading}\n`, `\n### ${heading}\n`].map((line) => text.indexOf(line)).find((at) => at >= 0)
  const begin = text.indexOf(`\n$ ${command}\n`, entryAt) + `\n$ ${command}\n`.length
  const end = text.indexOf('```\n', begin)
  if (process.env['TURNLEAF_WRITE_DOCS'] === '1') {
    writeFileSync(file, text.slice(0, begin) + printed + text.slice(end))
  } else assert.equal(printed, text.slice(begin, end), `${heading}: ${command}`)
}
