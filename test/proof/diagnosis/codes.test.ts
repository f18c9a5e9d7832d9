/** Every fault that diagnosis knows is proven by a test that meets it. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { findingTitles } from '../../../src/proof/diagnosis/finding-codes.ts'

const folder = 'test/proof/diagnosis'
const tests = readdirSync(folder).filter((file) => file.endsWith('.test.ts') && file !== 'codes.test.ts')
const words = tests.map((file) => readFileSync(`${folder}/${file}`, 'utf8')).join('\n')

test('no code is without a test that expects it', () => {
  const codes = Object.keys(findingTitles)
  assert.deepEqual(
    codes.filter((code) => !words.includes(code)),
    [],
  )
})
