import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runCli } from './run-cli.ts'
import { tempFolder } from './shop.ts'

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))

async function words(cwd: string, ...typed: string[]): Promise<string[]> {
  const { stdout } = await runCli(['complete', '--', ...typed], { cwd })
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.slice(0, line.indexOf('\t')))
}

describe('completion', () => {
  test('commands, options, values and connections; nothing where a file is expected', async () => {
    await using home = await tempFolder()
    await mkdir(join(home.folder, 'connections/shop'), { recursive: true })
    await writeFile(join(home.folder, 'connections/shop/connection.yaml'), 'connector: shop\n')
    const complete = (...typed: string[]) => words(home.folder, ...typed)
    assert.deepEqual(await complete('sy'), ['sync'])
    assert.deepEqual(await complete('connection', 're'), ['remove'])
    assert.deepEqual(await complete('sync', ''), ['shop'])
    assert.deepEqual(await complete('sync', 'shop', '--requ'), ['--require'])
    assert.deepEqual(await complete('sync', 'shop', '--require', 'c'), ['complete'])
    assert.deepEqual(await complete('read', '--manifest-path', ''), [])
    assert.deepEqual(await complete('completion', ''), ['bash', 'zsh', 'fish'])
    assert.ok(!(await complete('')).includes('complete'))
  })

  test('bash completes with the printed script', async () => {
    await using home = await tempFolder()
    const { stdout } = await runCli(['completion', 'bash'])
    const script = `turnleaf() { "${process.execPath}" "${main}" "$@"; }
${stdout}
COMP_WORDS=(turnleaf connection ch); COMP_CWORD=2; _turnleaf; echo "\${COMPREPLY[@]}"
COMP_WORDS=(turnleaf read --manifest-path ""); COMP_CWORD=3; _turnleaf; echo "[\${COMPREPLY[@]}]"`
    const ran = spawnSync('bash', ['-ec', script], { cwd: home.folder, encoding: 'utf8' })
    assert.equal(ran.stdout, 'check\n[]\n', ran.stderr)
  })
})
