import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const file = `
import { after, before, describe, it } from 'node:test'
const later = () => new Promise((resolve) => setTimeout(resolve, 20))
describe('suite', () => {
  before(() => console.log('set up'))
  after(() => console.log('cleaned up'))
  it('passes', () => later())
  describe('inner', () => {
    it('throws in a timer', () => new Promise((done) => {
      setTimeout(() => { throw new Error('uncaught') }, 1)
      setTimeout(done, 100)
    }))
    it('leaves a rejection', async () => {
      void Promise.reject(new Error('unhandled'))
      await later()
    })
    it('comes after them', () => later())
  })
})
`

function run(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'turnleaf-light-tests-'))
  try {
    const path = join(folder, 'some.mjs')
    writeFileSync(path, text)
    const args = ['--import=./scripts/light-tests.js', '--test-reporter=tap', path]
    return spawnSync(process.execPath, args, {
      encoding: 'utf8',
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('an error that nothing caught fails the test that runs, and no other', () => {
  const { stdout, status } = run(file)
  const outcomes = stdout.match(/(?:not )?ok \d+ - .+/g)
  assert.deepEqual(outcomes, [
    'ok 1 - passes',
    'not ok 1 - throws in a timer',
    'not ok 2 - leaves a rejection',
    'ok 3 - comes after them',
    'not ok 2 - inner',
    'not ok 1 - suite',
  ])
  assert.deepEqual(stdout.match(/^(?:set|cleaned) up$/gm), ['set up', 'cleaned up'])
  assert.match(stdout, /error: 'uncaught'/)
  assert.match(stdout, /error: 'unhandled'/)
  assert.equal(status, 1)
})

test('an error before the first test ends the process', () => {
  const { stderr, status } = run(`throw new Error('too early')`)
  assert.match(stderr, /Error: too early/)
  assert.equal(status, 1)
})
