import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runCli } from './run-cli.ts'
import { manifestOf, stream, tempFolder } from './shop.ts'

describe('turnleaf plan', { concurrency: 4 }, () => {
  test('prints what will be done, secrets as templates', async () => {
    await using files = await tempFolder()
    const requester = { authenticator: { type: 'BearerAuthenticator', api_token: "{{ config['key'] }}" } }
    const manifest = await files.write(
      'manifest.json',
      manifestOf([stream('https://example.com', { name: 'orders', requester })]),
    )
    const config = await files.write('config.json', { key: 'top-secret' })
    const ran = await runCli(['plan', '--manifest-path', manifest, '--config', config, '--stream', 'orders'])
    assert.equal(ran.code, 0, ran.stderr)
    const plan = JSON.parse(ran.stdout) as {
      name: string
      pagination: { kind: string; token: object }
      requester: { auth: { kind: string; token: string } }
    }
    assert.equal(plan.name, 'orders')
    assert.equal(plan.pagination.kind, 'offset')
    assert.deepEqual(plan.pagination.token, { into: 'query', name: 'offset' })
    assert.equal(plan.requester.auth.token, "{{ config['key'] }}")
    assert.doesNotMatch(ran.stdout, /top-secret/)
    assert.match(ran.stdout, /^\{\n {2}"name": "orders",\n/)
  })

  test('an unknown stream is a fault', async () => {
    await using files = await tempFolder()
    const manifest = await files.write('manifest.json', manifestOf([stream('https://example.com', { name: 'orders' })]))
    const ran = await runCli(['plan', '--manifest-path', manifest, '--stream', 'oders'])
    assert.equal(ran.code, 2)
    assert.match(ran.stderr, /^manifest\/unknown-stream: [^]*Did you mean "orders"\?/)
  })
})
