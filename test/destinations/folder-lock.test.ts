/** One process per folder, whatever happens to the last one. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { until } from '../helpers/until.ts'
import { lockFolder } from '../../src/destinations/folder-lock.ts'

const root = await mkdtemp(join(tmpdir(), 'turnleaf-lock-'))
after(async () => await rm(root, { recursive: true }))
let folders = 0
const newFolder = () => join(root, `folder-${folders++}`)
const program = fileURLToPath(new URL('take-lock.js', import.meta.url))

type Taker = { readonly child: ChildProcess; readonly lines: Interface; readonly exited: Promise<unknown> }

async function startTaker(folder: string): Promise<Taker> {
  const child = spawn(process.execPath, [program, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  const exited = once(child, 'exit')
  await once(lines, 'line')
  return { child, lines, exited }
}

async function letTake({ child, lines }: Taker): Promise<string> {
  const answer = once(lines, 'line')
  child.stdin?.write('go\n')
  return String((await answer)[0])
}

async function kill({ child, exited }: Taker): Promise<void> {
  child.kill('SIGKILL')
  await exited
}

test('a folder is taken once, also within a process, and free when it is given back', async () => {
  const folder = newFolder()
  for (let round = 0; round < 3; round++) {
    const lock = await lockFolder(folder, 'jsonl:out')
    await assert.rejects(lockFolder(folder, 'jsonl:out'), {
      code: 'destinations/busy',
      message: new RegExp(String.raw`^jsonl:out is in use by this process \(${process.pid}\) since \d{4}-`),
    })
    await lock.release()
  }
  assert.equal((await readdir(folder)).length, 1)
})

test('a process that lives is named, one that was killed has no lock', async () => {
  const folder = newFolder()
  const taker = await startTaker(folder)
  assert.equal(await letTake(taker), 'taken')
  const named = { code: 'destinations/busy', message: new RegExp(`process ${taker.child.pid} since`) }
  await assert.rejects(lockFolder(folder, 'jsonl:out'), named)
  await kill(taker)
  await (await lockFolder(folder, 'jsonl:out')).release()
})

test('of several that find the lock of a killed process, one gets it', async () => {
  const folder = newFolder()
  const first = await startTaker(folder)
  assert.equal(await letTake(first), 'taken')
  await kill(first)
  for (let round = 0; round < 3; round++) {
    const takers = await Promise.all(Array.from({ length: 5 }, async () => await startTaker(folder)))
    const answers = await Promise.all(takers.map(letTake))
    assert.deepEqual(answers.toSorted(), [...Array.from({ length: 4 }, () => 'destinations/busy'), 'taken'])
    await Promise.all(takers.map(kill))
  }
})

test('within a process, too, one of many gets it', async () => {
  const folder = newFolder()
  for (let round = 0; round < 10; round++) {
    const results = await Promise.allSettled(Array.from({ length: 20 }, async () => await lockFolder(folder, 'x')))
    const locks = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    assert.equal(locks.length, 1)
    await locks[0]?.release()
  }
})

test('a PID that another process has got since is no lock', async () => {
  const folder = newFolder()
  const lock = await lockFolder(folder, 'x')
  const [name = ''] = await readdir(folder)
  const holder = JSON.parse(await readFile(join(folder, name), 'utf8')) as Record<string, unknown>
  if (holder.processStart === null) return
  await writeFile(join(folder, name), JSON.stringify({ ...holder, processStart: '1' }))
  await (await lockFolder(folder, 'x')).release()
  await lock.release()
})

test('a process on another host cannot be asked: the file to remove is named', async () => {
  const folder = newFolder()
  await (await lockFolder(folder, 'x')).release()
  const path = join(folder, 'lock-7')
  const holder = { pid: process.pid, processStart: null, host: `${hostname()}-2`, since: '2026-01-02T03:04:05.000Z' }
  await writeFile(path, JSON.stringify(holder))
  await assert.rejects(lockFolder(folder, 'x'), (error: { code: string; message: string; hint: string }) => {
    assert.equal(error.code, 'destinations/busy')
    assert.ok(error.message.includes(`on ${hostname()}-2`))
    assert.ok(error.hint.includes(path))
    return true
  })
  await rm(path)
  await (await lockFolder(folder, 'x')).release()
})

test('a lock that is renewed counts as released once another host has not renewed it for long', async () => {
  const folder = newFolder()
  await (await lockFolder(folder, 'x')).release()
  const path = join(folder, 'lock-7')
  const holder = { pid: process.pid, processStart: null, host: `${hostname()}-2`, since: '2026-01-02T03:04:05.000Z' }
  const longAgo = new Date(Date.now() - 3_600_000)
  await writeFile(path, JSON.stringify({ ...holder, beatMs: 20_000 }))
  await assert.rejects(lockFolder(folder, 'x'), { code: 'destinations/busy' })
  await utimes(path, longAgo, longAgo)
  await (await lockFolder(folder, 'x')).release()
  // A lock that is never renewed may be held, however old it is.
  await writeFile(join(folder, 'lock-9'), JSON.stringify(holder))
  await utimes(join(folder, 'lock-9'), longAgo, longAgo)
  await assert.rejects(lockFolder(folder, 'x'), { code: 'destinations/busy' })
})

test('a lock is renewed until it is released', async () => {
  const folder = newFolder()
  const lock = await lockFolder(folder, 'x', { beatMs: 10 })
  const path = join(folder, 'lock-1')
  const longAgo = new Date(Date.now() - 3_600_000)
  await utimes(path, longAgo, longAgo)
  await until('the file is touched', async () => (await stat(path)).mtimeMs > longAgo.getTime() + 60_000)
  await lock.release()
  assert.equal(await readFile(path, 'utf8'), '')
})

test('what a crash left of a lock is no lock', async () => {
  const folder = newFolder()
  await (await lockFolder(folder, 'x')).release()
  await writeFile(join(folder, 'lock-9'), '{"pid":')
  await (await lockFolder(folder, 'x')).release()
})

test('a process that lives holds its lock also where nothing tells when it started', async () => {
  const folder = newFolder()
  await (await lockFolder(folder, 'x')).release()
  const holder = { pid: process.pid, processStart: null, host: hostname(), since: '2026-01-02T03:04:05.000Z' }
  await writeFile(join(folder, 'lock-7'), JSON.stringify(holder))
  await assert.rejects(lockFolder(folder, 'x'), {
    code: 'destinations/busy',
    message: `x is in use by this process (${process.pid}) since 2026-01-02T03:04:05.000Z.`,
  })
})

test('a lock says when its process started, as the system counts', { skip: process.platform !== 'linux' }, async () => {
  const folder = newFolder()
  const lock = await lockFolder(folder, 'x')
  const [name = ''] = await readdir(folder)
  const { processStart } = JSON.parse(await readFile(join(folder, name), 'utf8')) as { processStart: string }
  // The process, its name in brackets, its state, and 18 numbers more come first.
  const [, start] = /^\d+ \(.*\) \S(?: -?\d+){18} (\d+) /.exec(await readFile('/proc/self/stat', 'utf8')) ?? []
  assert.equal(processStart, start)
  await lock.release()
})
