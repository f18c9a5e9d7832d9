import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { duckdbDestination } from '../../src/destinations/duckdb/duckdb.ts'
import { startLab } from '../../src/lab/lab.ts'
import { recordsIn } from './run-cli.ts'
import { tempFolder } from './shop.ts'

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))
const skip = spawnSync('script', ['--version']).status === 0 ? false : 'this machine has no `script` to make a terminal'

/** What a person sees at a terminal of 60 columns while standard output goes to a file. */
async function seen(command: string, env: Record<string, string>): Promise<string> {
  const { NO_COLOR: _none, ...inherited } = process.env
  const child = spawn('script', ['-qec', `stty cols 60; ${process.execPath} ${main} ${command}`, '/dev/null'], {
    env: { ...inherited, TERM: 'xterm', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return text(child.stdout)
}

/** What follows the last command that removes rows. */
function leftOn(written: string): string[] {
  return written.slice(written.lastIndexOf('\x1b[2K') + 4).split('\r\n')
}

test('a read on a terminal leaves the table of its receipts; NO_COLOR removes the colours', { skip }, async () => {
  await using lab = await startLab({ size: 250 })
  await using files = await tempFolder()
  const config = await files.write('config.json', { base_url: lab.url })
  const output = join(files.folder, 'out.jsonl')
  const streams = '--stream offset --stream cursor'
  const command = `read --manifest-path connectors/lab/manifest.yaml --config ${config} ${streams} > ${output}`

  const plain = await seen(command, { NO_COLOR: '1' })
  assert.deepEqual(leftOn(plain), [
    '',
    'stream   records   pages   stopped at       verdict',
    'offset       250       3   short page       complete (total 250)',
    'cursor       250       3   stop condition   complete (the last page names no next page)',
    '',
    '',
  ])
  assert.ok(!plain.replaceAll(/\x1b\[(?:\?7[lh]|2K|1A)/g, '').includes('\x1b'), plain)
  assert.equal(recordsIn({ stdout: await readFile(output, 'utf8') }).length, 500)

  const coloured = await seen(command, {})
  assert.ok(coloured.includes('\x1b[2mstream'), coloured)
})

test('a sync on a terminal leaves the table of its receipts, and nothing of the rows that moved', {
  skip,
}, async () => {
  await using lab = await startLab({ size: 250 })
  await using files = await tempFolder()
  const config = await files.write('config.json', { base_url: lab.url })
  const to = `jsonl:${files.folder}`
  const command = `sync --manifest-path connectors/lab --config ${config} --to ${to} --stream offset --stream cursor`

  const plain = await seen(command, { NO_COLOR: '1' })
  const moved = plain.replaceAll(/\x1b\[(?:\?7[lh]|2K|1A)/g, '')
  assert.ok(!moved.includes('\x1b'), plain)
  assert.match(moved, /^offset +\d+ records/m)
  assert.deepEqual(leftOn(plain).slice(0, 5), [
    '',
    'stream   records   pages   stopped at       verdict',
    'offset       250       3   short page       complete (total 250)',
    'cursor       250       3   stop condition   complete (the last page names no next page)',
    '',
  ])
  assert.ok((await seen(command, {})).includes('\x1b[32mcomplete (total 250)'))
})

test('a table of rows fits the terminal; a file gets all of it', { skip }, async () => {
  await using files = await tempFolder()
  const file = join(files.folder, 'a.duckdb')
  await (await duckdbDestination(file).open('shop')).close()
  const to = `duckdb:${file}`
  const sql = `select 12345 as id, repeat(chr(97), 40) as name, repeat(chr(98), 50) as address`
  const output = join(files.folder, 'out.txt')
  const [titles = '', cells] = (await seen(`query --to ${to} '${sql}'`, {})).split('\r\n')
  assert.equal(titles.trimEnd(), `   id   name${' '.repeat(23)}address`)
  assert.equal(cells, `12345   ${'a'.repeat(23)}…   ${'b'.repeat(23)}…`)
  await seen(`query --to ${to} '${sql}' > ${output}`, {})
  assert.match(await readFile(output, 'utf8'), /^12345 {3}a{40} {3}b{50}$/m)
})

test('serve on a terminal ends with the commands to try, not with an address that is not the builder', {
  skip,
}, async () => {
  const ports = '--site-port 0 --api-port 0 --lab-port 0'
  const command = `exec ${process.execPath} ${main} serve --no-read ${ports}`
  const child = spawn('script', ['-qec', command, '/dev/null'], { stdio: ['ignore', 'pipe', 'ignore'] })
  let shown = ''
  for await (const chunk of child.stdout) {
    shown += String(chunk)
    // Everything is said by then: the rest follows at once, or never.
    if (/--stream cursor[^\n]*\n/.test(shown)) setTimeout(() => child.kill(), 300)
  }
  assert.match(shown, /^builder +/m)
  assert.doesNotMatch(shown, /^http:/m)
})
