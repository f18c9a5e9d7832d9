/** The config against the spec, and which of its values are secret. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Float } from '../../../src/std/json.ts'
import { loadManifest } from '../../../src/index.ts'
import { checkConfig } from '../../../src/engine/plan/config.ts'
import { secretsOf } from '../../../src/engine/secrets/find-secrets.ts'
import { manifestOf } from '../../helpers/manifests.ts'

const spec = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  required: ['key'],
  properties: {
    key: { type: 'string', airbyte_secret: true, order: 0 },
    size: { type: 'integer' },
    rate: { type: 'number' },
    region: { enum: ['eu', 'us'] },
    credentials: {
      oneOf: [
        { type: 'object', properties: { kind: { const: 'token' }, token: { type: 'string', airbyte_secret: true } } },
        {
          type: 'object',
          properties: { kind: { const: 'basic' }, users: { type: 'array', items: { airbyte_secret: true } } },
        },
      ],
    },
  },
}
const manifest = loadManifest(manifestOf({ spec }))

const faults: [name: string, config: Record<string, unknown>, code: string, words: RegExp][] = [
  ['missing', {}, 'plan/missing-config', /`key` is missing/],
  ['wrong type', { key: 'k', size: 'many' }, 'plan/invalid-config', /`size` must be integer/],
  ['not one of the values', { key: 'k', region: 'mars' }, 'plan/invalid-config', /`region` must be one of eu, us/],
  ['several at once', { size: 'many' }, 'plan/missing-config', /`key` is missing.*`size` must be integer/],
]
for (const [name, config, code, words] of faults) {
  test(`config: ${name}`, () => assert.throws(() => checkConfig(manifest, config), { code, message: words }))
}

test('config: of several ways to log in, only the faults of the one that it names', () => {
  const way = (field: string, name: object) => ({
    required: ['kind', field],
    properties: { kind: name, [field]: { type: 'string' }, region: { enum: ['eu', 'us'] } },
  })
  const login = { oneOf: [way('secret', { const: 'oauth' }), way('key', { enum: ['key'] })] }
  const choosing = loadManifest(
    manifestOf({ spec: { type: 'object', properties: { login }, additionalProperties: false } }),
  )
  for (const [config, code, words] of [
    [{ login: { kind: 'oauth' } }, 'plan/missing-config', '`login` `secret` is missing'],
    [{ login: { kind: 'key', key: 1 } }, 'plan/invalid-config', '`login.key` must be string'],
    [{ login: { kind: 'key', key: 'k', region: 1 } }, 'plan/invalid-config', '`login.region` must be one of eu, us'],
    [{ login: { kind: 'token' } }, 'plan/invalid-config', '`login.kind` must be one of oauth, key'],
    [{ kind: 'key' }, 'plan/invalid-config', '`kind` is not among its fields'],
  ] as const) {
    assert.throws(() => checkConfig(choosing, config), { code, message: `The config does not fit: ${words}.` })
  }
})

test('config: whole floats and long integers are numbers', () => {
  checkConfig(manifest, { key: 'k', rate: new Float(1), size: 12345678901234567890n })
})

test('config: its values never appear in the error', () => {
  assert.throws(
    () => checkConfig(manifest, { key: 12345 }),
    (error: Error) => !error.message.includes('12345'),
  )
})

test('config: patterns as Python writes them are compared where they can be, and hide nothing else', () => {
  const fitting = (pattern: string, config: object) => {
    const properties = { key: { type: 'string' }, day: { type: 'string', pattern } }
    const pythonic = loadManifest(manifestOf({ spec: { type: 'object', required: ['key'], properties } }))
    return () => checkConfig(pythonic, { ...config })
  }
  for (const pattern of ['^\\d{4}\\-\\d\\d$', '(?i)^[a-z]+$']) {
    assert.throws(fitting(pattern, { day: '2024-01' }), { code: 'plan/missing-config' }, pattern)
    fitting(pattern, { key: 'k', day: '2024-01' })()
  }
  assert.throws(fitting('^\\d{4}\\-\\d\\d$', { key: 'k', day: 'May' }), { code: 'plan/invalid-config' })
})

test('config: a spec that is no JSON Schema stops nothing', () => {
  checkConfig(loadManifest(manifestOf({ spec: { type: 'nonsense' } })), {})
})

test('secrets are found at any depth, in every choice', () => {
  const config = { key: 'k1', region: 'eu', credentials: { token: 't1', users: ['u1', { name: 'u2' }] } }
  assert.deepEqual(new Set(secretsOf(manifest, config)), new Set(['k1', 't1', 'u1', 'u2']))
  // Without a spec, names decide.
  assert.deepEqual(secretsOf(loadManifest(manifestOf()), config), ['k1', 't1'])
})
