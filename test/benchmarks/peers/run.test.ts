/** A run: readers are counted and checked, what is missing is said in one line, and nothing outlives an interruption. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { after, before, suite, test } from 'node:test'
import { findPython, MissingTool, prepare } from '../../../benchmarks/peers/environment.ts'
import { checkAnswer, measureReading, type Place } from '../../../benchmarks/peers/measure.ts'
import { openReader, type Program } from '../../../benchmarks/peers/readers.ts'
import { expectedRecords, quick, type Workload, workloads } from '../../../benchmarks/peers/workloads.ts'
import { startServer } from '../../../benchmarks/processes.ts'

const tiny = (name: string): Workload => {
  const workload = workloads.find((one) => one.name === name) as Workload
  return { ...quick(workload), pages: 2, slices: workload.slices === null ? null : 3, latencyMs: 0, rounds: 2 }
}

const program = (file: string): Program => ({ command: [process.execPath, file], variables: {} })

suite('readers', () => {
  let place: Place
  let stop: () => void
  before(async () => {
    const server = await startServer('peers/server.js')
    place = { url: server.url, folder: await mkdtemp(join(tmpdir(), 'turnleaf-peers-test-')), report() {} }
    stop = server.stop
  })
  after(async () => {
    stop()
    await rm(place.folder, { recursive: true })
  })

  for (const name of ['read', 'transform', 'slices', 'streams', 'duckdb']) {
    const files = ['turnleaf.js', ...(name === 'duckdb' ? [] : ['undici-loop.js'])]
    test(`${name}: ${files.join(' and ')} give every record once, in each round`, async () => {
      const opening = files.map((file) => openReader(file, program(`build/benchmarks/peers/${file}`)))
      const readers = await Promise.all(opening)
      try {
        const seconds = await measureReading(tiny(name), readers, place)
        assert.deepEqual(Object.keys(seconds), files)
        for (const times of Object.values(seconds)) assert.equal(times.filter((one) => one > 0).length, 2)
      } finally {
        for (const reader of readers) await reader[Symbol.asyncDispose]()
      }
    })
  }

  const { records, seconds } = { records: expectedRecords(tiny('transform')), seconds: 1 }
  for (const [what, answer] of Object.entries({
    'one record too few': { records: records - 1, distinct: records - 1, changed: records - 1 },
    'one record twice': { records: records + 1, distinct: records, changed: records + 1 },
    'one record instead of another': { records, distinct: records - 1, changed: records },
    'one record that is not transformed': { records, distinct: records, changed: records - 1 },
  })) {
    test(`${what} fails the run`, async () => {
      assert.throws(() => checkAnswer('dlt', tiny('transform'), { seconds, ...answer }), /^Error: transform: dlt gave /)
      const file = join(place.folder, `${what.replaceAll(' ', '-')}.mjs`)
      const line = JSON.stringify(JSON.stringify({ seconds, ...answer }))
      await writeFile(file, `console.log('{}'); process.stdin.on('data', () => console.log(${line}))`)
      await using reader = await openReader('dlt', program(file))
      await assert.rejects(measureReading(tiny('transform'), [reader], place), /transform: dlt gave /)
    })
  }

  test('a reader that fails is named, with what it printed', async () => {
    const file = join(place.folder, 'failing.mjs')
    await writeFile(file, `console.log('{}'); process.stdin.on('data', () => { throw new Error('no such page') })`)
    await using reader = await openReader('got', program(file))
    await assert.rejects(
      measureReading(tiny('read'), [reader], place),
      /^Error: got ended without an answer:[^]*no such page/,
    )
  })
})

suite('Python', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'turnleaf-python-test-'))
  })
  after(() => rm(folder, { recursive: true }))

  const install = async (name: string, version: string) => {
    const file = join(folder, name)
    await writeFile(file, `#!/bin/sh\necho "Python ${version}"\n`)
    await chmod(file, 0o755)
  }

  test('is the first one on the path that all peers support; without one, a line says what to install', async () => {
    const search = { PATH: [folder, '/nowhere'].join(delimiter) }
    const isMissing = (error: unknown) => error instanceof MissingTool && /^.*3\.10 to 3\.14.*$/.test(error.message)
    assert.throws(() => findPython(search), isMissing)
    await install('python3', '3.9.18')
    assert.throws(() => findPython(search), isMissing)
    await assert.rejects(prepare(join(folder, 'cache'), search), isMissing)
    await install('python3.12', '3.12.1')
    assert.equal(findPython(search), 'python3.12')
    await install('python3', '3.10.0')
    assert.equal(findPython(search), 'python3')
  })
})

test('an interrupted run ends every process that it started', async () => {
  const module = pathToFileURL('build/benchmarks/peers/children.js').href
  const forever = `[process.execPath, '-e', 'setInterval(() => {}, 1000)']`
  const run = `
    import { endAllWhenInterrupted, start } from ${JSON.stringify(module)}
    endAllWhenInterrupted()
    const children = [start(${forever}, { stdio: 'ignore' }), start(${forever}, { stdio: 'ignore', detached: true })]
    console.log(children.map(({ pid }) => pid).join())`
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', run], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const pids = String(line).trim().split(',').map(Number)
    for (const pid of pids) assert.equal(process.kill(pid, 0), true)
    child.kill(signal)
    assert.deepEqual(await once(child, 'exit'), [code, null])
    for (const pid of pids) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  }
})
