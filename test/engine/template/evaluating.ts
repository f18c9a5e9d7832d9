/** Short ways to evaluate a template in a test. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileTemplate, type EvaluateAs } from '../../../src/engine/template/template.ts'
import { repr } from '../../../src/engine/template/values/python-text.ts'
import { ConnectorError, type ErrorCode } from '../../../src/std/errors.ts'
import { type Json, scopeOf } from './scopes.ts'

/** The value as Python writes it, which distinguishes 2 from 2.0 and a list from a tuple. */
export function python(template: string, context: Json = {}, as: EvaluateAs = 'string'): string {
  const value = compileTemplate(template).evaluate(scopeOf({ config: {}, parameters: {}, ...context }), as)
  return value === undefined ? 'dropped' : repr(value)
}

/** One test per row: template, and the value as Python writes it. */
export function table(
  name: string,
  rows: readonly (readonly [template: string, value: string])[],
  context: Json = {},
): void {
  test(name, () => {
    for (const [template, value] of rows) assert.equal(python(template, context), value, template)
  })
}

export function codeOf(work: () => unknown): ErrorCode | 'no error' {
  try {
    work()
    return 'no error'
  } catch (error) {
    assert.ok(error instanceof ConnectorError, String(error))
    return error.code
  }
}
