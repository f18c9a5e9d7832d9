import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretPattern } from '../../../src/engine/secrets/secret-pattern.ts'

const found = (secret: string, text: string) => new RegExp(secretPattern(secret)).exec(text)?.[0] ?? null

test('a secret of four letters is found in base64, wherever it is among the triples of bytes', () => {
  assert.equal(found('wxyz', btoa('wxyz')), btoa('wxyz'))
  for (const before of ['', 'u', 'uu', 'uuu']) {
    for (const after of ['', 'v', 'vv'])
      assert.ok(found('wxyz', btoa(before + 'wxyz' + after)), `${before}wxyz${after}`)
  }
})

test('shorter runs of base64 are not: they would be found by chance', () => {
  // Three bytes are four characters at the start of a triple, and three whole ones elsewhere.
  assert.equal(found('wxy', btoa('wxy')), btoa('wxy'))
  assert.equal(found('wxy', btoa('uwxy')), null)
  assert.equal(found('wx', btoa('wx')), null)
})
