import assert from 'node:assert/strict'
import { test } from 'node:test'
import { schemaPattern } from '../../../src/std/text/schema-pattern.ts'

test('a pattern is read as JSON Schema has it, with escapes that need none', () => {
  assert.ok(schemaPattern('^\\d{4}\\-\\d{2}$')?.test('2024-01'))
  assert.ok(schemaPattern('^.$')?.test('😀'))
  assert.equal(schemaPattern('^\\d{4}$')?.test('acme'), false)
})

test('a pattern that only Python reads is none', () => {
  assert.equal(schemaPattern('(?i)^acme$'), null)
})
