import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { text } from 'node:stream/consumers'
import { faults } from '../../src/lab/faults.ts'
import { takenPort } from '../helpers/taken-port.ts'
import { runCli, said, startCli } from './run-cli.ts'

async function emptyFolder() {
  const path = await mkdtemp(join(tmpdir(), 'turnleaf-home-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

describe('turnleaf lab', { concurrency: 4 }, () => {
  test('prints its URL for programs, the dialects for people, and serves until Ctrl-C', async () => {
    await using started = startCli(['lab', '--port', '0', '--size', '3'])
    const { child, ended } = started
    const url = (await said(child.stdout, '\n')).trim()
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/)
    assert.equal((await fetch(`${url}/all`)).status, 200)
    child.kill('SIGINT')
    const listing = await text(child.stderr)
    assert.match(listing, /GET +\/offset +offset and limit/)
    for (const { name } of faults) assert.ok(listing.includes(`/faults/${name} `), name)
    assert.equal(await ended, 0)
  })

  test('its help names every fault', async () => {
    const { stdout } = await runCli(['lab', '--help'])
    const [, listed = ''] = /\nFaults: [^\n]+\n([^]+)$/.exec(stdout) ?? []
    assert.deepEqual(
      listed.trim().split(/,\s+/),
      faults.map(({ name }) => name),
    )
  })

  test('a port that was given must be free', async () => {
    await using taken = await takenPort()
    for (const given of [
      { args: ['--port', String(taken.port)] },
      { args: [], env: { TURNLEAF_LAB_PORT: String(taken.port) } },
    ]) {
      const ran = await runCli(['lab', ...given.args], given)
      assert.equal(ran.code, 2)
      assert.match(ran.stderr, /^lab\/port-taken: Port \d+ on 127\.0\.0\.1 is taken\.\n {2}try {2}/)
    }
  })

  test('the usual port may be any near it', async () => {
    // If 8082 is taken, the second lab finds another port and reports it.
    await using first = startCli(['lab'])
    const one = (await said(first.child.stdout, '\n')).trim()
    await using second = startCli(['lab'])
    const other = (await said(second.child.stdout, '\n')).trim()
    assert.notEqual(one, other)
    second.child.kill('SIGTERM')
    assert.match(await text(second.child.stderr), /Port 8082 is taken; the lab uses \d+\./)
  })
})

describe('turnleaf serve', () => {
  test('lands every stream of the lab, from whatever folder, then keeps it open', async () => {
    await using home = await emptyFolder()
    await using started = startCli(['serve'], { env: { TURNLEAF_LAB_PORT: '0', TURNLEAF_HOME: home.path }, cwd: '/' })
    const { child, ended } = started
    const url = (await said(child.stdout, '\n')).trim()
    assert.equal((await fetch(`${url}/offset`)).status, 200)
    child.kill('SIGINT')
    const words = await text(child.stderr)
    assert.equal(await ended, 0)
    assert.match(words, /^stream +records +pages +stopped at +verdict$/m)
    assert.match(words, /^offset +\d+ +\d+ +(short|empty) page +complete \(total \d+\)$/m)
    assert.ok(existsSync(join(home.path, 'turnleaf.duckdb')))
    assert.doesNotMatch(words, /failed/)
    assert.match(words, /npx turnleaf read --manifest-path \S*connectors\/lab\/manifest\.yaml --stream cursor/)
  })
})
