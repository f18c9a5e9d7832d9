/** What docs/api.md claims: its operations exist, and its commands answer as shown. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startLab } from '../src/lab/lab.ts'
import { startApi } from './server/start-api.ts'
import { page, rowsIn, section } from './helpers/docs.ts'
import { testServices } from './server/services.ts'

const hasCurl = spawnSync('curl', ['--version']).status === 0

/** Commands, each with what it prints; `…` matches anything within a line. */
function commandsIn(text: string): { command: string; expected: string }[] {
  return [...text.matchAll(/^```\n(\$ .*?)^```$/gms)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const [command = '', ...printed] = part.split('\n')
        return { command, expected: printed.join('\n') }
      }),
  )
}

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

async function serving() {
  const lab = await startLab()
  const services = testServices({ lab: lab.url })
  const api = await startApi({ baseUrl: 'http://127.0.0.1:1', version: '0.1.0', services })
  const folder = mkdtempSync(join(tmpdir(), 'turnleaf-docs-'))
  const here = (text: string) =>
    text.replaceAll('http://127.0.0.1:8081', api.url).replaceAll('http://127.0.0.1:8082', lab.url)
  return {
    api,
    here,
    async run(command: string): Promise<string> {
      const { stdout } = await promisify(execFile)('bash', ['-c', here(command)], { cwd: folder })
      return stdout
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([api.close(), lab.close()])
      services[Symbol.dispose]()
      rmSync(folder, { recursive: true })
    },
  }
}

test('docs/api.md: its commands answer as shown', { skip: hasCurl ? false : 'no curl here' }, async () => {
  await using served = await serving()
  const commands = commandsIn(page('api'))
  assert.ok(commands.length > 6)
  for (const { command, expected } of commands) {
    const printed = await served.run(command)
    const pattern = expected
      .split('…')
      .map((part) => literally(served.here(part)))
      .join('.*')
    assert.match(printed.trimEnd(), new RegExp(`^${pattern.trimEnd()}$`), command)
  }
})

test('docs/api.md names operations that exist', async () => {
  await using served = await serving()
  const { paths } = (await (await fetch(`${served.api.url}/openapi.json`)).json()) as { paths: Record<string, object> }
  const known = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const named = rowsIn(section('api', 'Operations')).map(([cell = '']) => cell.replaceAll('`', ''))
  assert.ok(named.length > 10)
  assert.deepEqual(
    named.filter((one) => !known.includes(one)),
    [],
  )
})
