import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configsFor } from '../../../src/lab/mirror/config.ts'
import { sampleOf } from '../../../src/lab/mirror/pattern-sample.ts'
import { loadManifest } from '../../../src/index.ts'
import { checkConfig } from '../../../src/engine/plan/config.ts'
import { manifestOf, type StreamParts } from '../../helpers/manifests.ts'

function made(properties: Record<string, unknown>, parts: StreamParts = {}) {
  const spec = { type: 'object', required: Object.keys(properties), properties }
  const manifest = loadManifest(manifestOf({ ...parts, spec }))
  const configs = configsFor(manifest)
  for (const config of configs) checkConfig(manifest, config)
  return configs
}

test('patterns of specs have samples', () => {
  const patterns = [
    '^[0-9]{8,9}$',
    '^(s|r)k_(live|test)_[a-zA-Z0-9]+$',
    '^https://',
    '^(?!https://)',
    String.raw`^[\w-]+:[\w]+$`,
  ]
  for (const pattern of patterns) assert.match(sampleOf(pattern) ?? '', new RegExp(pattern), pattern)
})

test('a date is written as its pattern wants it, some weeks before now', () => {
  const [config] = made({
    start_date: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' },
    since: { type: 'string', format: 'date-time' },
    month: { type: 'string', examples: ['2021-03'] },
  })
  assert.deepEqual(config, { start_date: '2026-04-27', since: '2026-04-27T00:00:00Z', month: '2026-04' })
})

test('each branch of a choice gives a config', () => {
  const token = {
    title: 'Token',
    properties: { kind: { const: 'token' }, token: { type: 'string' } },
    required: ['kind', 'token'],
  }
  const login = {
    title: 'Login',
    properties: { kind: { const: 'login' }, user: { type: 'string' } },
    required: ['kind', 'user'],
  }
  const configs = made({ credentials: { type: 'object', oneOf: [token, login] } })
  assert.deepEqual(
    configs.map(({ credentials }) => (credentials as { kind: string }).kind),
    ['token', 'login'],
  )
})

test('a value that an address is made of makes an address', () => {
  const [whole] = made({ site: { type: 'string' } }, { url: "{{ config['site'] }}/api" })
  const [part] = made({ site: { type: 'string' } }, { url: "https://{{ config['site'] }}.api.test/" })
  assert.match(String(whole?.site), /^https:\/\//)
  assert.match(String(part?.site), /^\w+$/)
})
