/** Errors of the disk name the file's path, and nothing committed is lost. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { obeyingPermissions } from '../../helpers/obeying-permissions.ts'
import { jsonlDestination } from '../../../src/destinations/jsonl/jsonl.ts'

const root = await mkdtemp(join(tmpdir(), 'turnleaf-full-'))
after(async () => await rm(root, { recursive: true }))
await chmod(root, 0o755)
const program = fileURLToPath(new URL('fill-up.js', import.meta.url))
let folders = 0
async function newFolder(): Promise<string> {
  const folder = join(root, `folder-${folders++}`)
  await mkdir(folder)
  return folder
}

type Met = {
  readonly failure: { readonly code: string; readonly message: string }
  readonly pages: number
  readonly rows: { readonly orders: number; readonly others: number }
}

async function run(command: string, args: readonly string[]): Promise<Met> {
  const { stdout } = await promisify(execFile)(command, args)
  return JSON.parse(stdout) as Met
}

function assertRefused({ failure, pages, rows }: Met, reason: RegExp, folder: string): void {
  assert.equal(failure.code, 'destinations/write-refused')
  assert.match(failure.message, reason)
  assert.ok(failure.message.includes(folder))
  assert.ok(pages > 0)
  assert.deepEqual(rows, { orders: pages * 100, others: 100 })
}

for (const mode of ['append', 'overwrite', 'dedup']) {
  test(`a file that may not grow: what was committed stays, other tables are written (${mode})`, async () => {
    const folder = await newFolder()
    const script = `ulimit -f 400; exec "${process.execPath}" "${program}" "${folder}" ${mode}`
    assertRefused(await run('sh', ['-c', script]), /EFBIG/, folder)
  })
}

const mayMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', root]).status === 0

for (const mode of ['append', 'overwrite']) {
  test(`a full disk: what was committed stays, and once there is room it resumes (${mode})`, {
    skip: !mayMount,
  }, async () => {
    const folder = await newFolder()
    const script = `mount -t tmpfs -o size=1m none "${folder}" && exec "${process.execPath}" "${program}" "${folder}" ${mode}`
    assertRefused(await run('unshare', ['-m', 'sh', '-c', script]), /the disk is full \(ENOSPC\)/, folder)
  })
}

test('a folder that may not be written to', async () => {
  const folder = await newFolder()
  await chmod(folder, 0o555)
  const [command, ...args] = [...obeyingPermissions, process.execPath, program, join(folder, 'out'), 'append']
  const { failure } = await run(command, args)
  assert.equal(failure.code, 'destinations/write-refused')
  assert.ok(failure.message.includes(folder))
  assert.match(failure.message, /permission is missing \(EACCES\)/)
})

test('a file where the folder should be', async () => {
  const file = join(await newFolder(), 'file')
  await writeFile(file, 'mine')
  for (const folder of [file, join(file, 'deeper')]) {
    await assert.rejects(jsonlDestination(folder).open('shop'), {
      code: 'destinations/write-refused',
      message: /a file is in the place of a folder/,
    })
  }
})
