import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileTemplate } from '../../../src/engine/template/template.ts'
import { byNumber } from '../../../src/proof/detection/candidates.ts'
import { responseAt, pointerTemplate } from '../../../src/proof/detection/paginator.ts'

/** Names that would read a secret, were they taken for a part of the template. */
const hostile = [`a'] ~ config['key'] ~ ['id`, `a\\'] ~ config['key'] ~ ['id`, `id' }}{{ config['key'] }}{{ '`]
const sizing = { slot: null, pageSize: 10, cap: null, evidence: [], largest: null }

function namesIn(template: unknown): string[] {
  return [...compileTemplate(String(template)).names]
}

for (const name of hostile) {
  test(`a field called ${name} is a text of the template`, () => {
    const mover = { kind: 'after', slot: { into: 'request_parameter', path: ['after'] }, base: 1 } as const
    const facts = { needsFirst: false, flag: null, id: name, evidence: [] }
    const { paginator } = byNumber(mover, sizing, facts)
    const strategy = paginator?.pagination_strategy as { cursor_value?: unknown } | undefined
    assert.deepEqual(namesIn(strategy?.cursor_value), ['last_record'])
    assert.deepEqual(namesIn(`{{ ${responseAt([name])} }}`), ['response'])
    assert.deepEqual(namesIn(`{{ ${responseAt(['meta', name])} }}`), ['response'])
    const pointer = { kind: 'token', from: 'header', path: [name], value: 'x', score: 1 } as const
    assert.deepEqual(namesIn(`{{ ${pointerTemplate(pointer)} }}`), ['headers'])
  })
}
