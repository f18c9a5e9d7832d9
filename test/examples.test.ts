/** Every program in examples/ runs, against a lab of its own. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { startLab } from '../src/lab/lab.ts'

/** Once for each of three customers. */
const months = (...events: number[]) => [1, 2, 3].flatMap(() => events.map((count) => `${count} events`))

/** What each example gives against a lab of 250 records. */
const expected: Record<string, unknown> = {
  'read-records': 250,
  'custom-pagination': 250,
  // January to March, then March to May.
  incremental: [...months(30, 0, 45), ...months(45, 12, 60)],
  'inspect-pages': ['50 records', '50 records', '50 records'],
  // Interrupted after six pages of ten, and gone on with.
  'own-destination': [
    'begins after 0 records',
    'interrupted, 60 records',
    'begins after 60 records',
    'complete, 250 records',
  ],
}

/** `folder` is for examples that write something. */
type Main = (labUrl: string, folder: string) => Promise<unknown>

const examples = readdirSync('examples', { withFileTypes: true }).filter((entry) => entry.isDirectory())

test('every example is expected to give something', () => {
  assert.deepEqual(examples.map(({ name }) => name).toSorted(), Object.keys(expected).toSorted())
})

for (const { name } of examples) {
  test(`examples/${name}`, async (context) => {
    await using lab = await startLab({ port: 0, size: 250 })
    context.mock.method(console, 'log', () => {})
    const path = resolve('build/examples', name, 'main.js')
    const { main } = (await import(pathToFileURL(path).href)) as { main: Main }
    const folder = await mkdtemp(join(tmpdir(), 'turnleaf-example-'))
    context.after(() => rm(folder, { recursive: true }))
    const result = await main(lab.url, folder)
    const shown = Array.isArray(result) ? result.map((line) => String(line).split('→ ')[1]) : result
    assert.deepEqual(shown, expected[name])
    assert.ok(existsSync(join('examples', name, 'README.md')))
  })
}
