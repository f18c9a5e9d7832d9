import assert from 'node:assert/strict'
import { test } from 'node:test'
import { distinctly } from '../../src/builder/relative-time.ts'

test('moments of one list have seconds only where two of them share a minute', () => {
  const [one, soon, later] = ['2026-11-16T21:00:05', '2026-11-16T21:00:40', '2026-11-16T21:02:00'] as const
  assert.doesNotMatch(distinctly([one, later])(one), /:05/)
  const said = distinctly([one, soon, later])
  assert.match(said(one), /:05/)
  assert.match(said(soon), /:40/)
})
