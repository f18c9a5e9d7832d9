/** A changed config: `read` and `check` print it as a CONTROL message, the tokens in it only there; every command stores it. */
import assert from 'node:assert/strict'
import { mkdir, readFile, rename, rmdir } from 'node:fs/promises'
import { test } from 'node:test'
import { serveApi } from '../helpers/serve-api.ts'
import { messagesIn, runCli } from './run-cli.ts'
import { manifestOf, rotatingAuth, stream, tempFolder } from './shop.ts'

for (const command of ['read', 'check']) {
  test(`${command}: the new refresh token is printed once, before anything was read with it`, async () => {
    await using api = await serveApi({
      'POST /token': () => ({ json: { access_token: 'at-s3cret', refresh_token: 'rt-s3cret-1', expires_in: 60 } }),
      // An API that repeats what it was sent.
      '*': (_, { headers }) => ({ status: 403, json: { message: `no ${headers.authorization}` } }),
    })
    const authenticator = rotatingAuth(api.url)
    await using files = await tempFolder()
    const streams = ['orders', 'items'].map((name) => stream(api.url, { name, requester: { authenticator } }))
    const manifest = await files.write('manifest.json', manifestOf(streams))
    const config = await files.write('config.json', { credentials: { refresh_token: 'rt-s3cret-0' } })
    const { stdout, stderr } = await runCli([command, '--manifest-path', manifest, '--config', config])
    const lines = stdout.split('\n').filter((line) => line !== '')
    const controls = lines.filter((line) => line.includes('"CONTROL"'))
    assert.equal(controls.length, 1)
    const { control } = JSON.parse(controls[0] ?? '') as {
      control: { type: string; connectorConfig: { config: { credentials: Record<string, string> } } }
    }
    assert.equal(control.type, 'CONNECTOR_CONFIG')
    const { token_expiry_date: date = '', ...credentials } = control.connectorConfig.config.credentials
    assert.deepEqual(credentials, { access_token: 'at-s3cret', refresh_token: 'rt-s3cret-1' })
    assert.ok(Date.parse(date) > Date.now())
    assert.equal(lines.filter((line) => line.includes('s3cret')).length, 1)
    assert.ok(!stderr.includes('s3cret'))
  })
}

for (const command of ['read', 'plan']) {
  test(`${command}: a refresh token that is spent to find the streams is kept too`, async () => {
    await using api = await serveApi({
      'POST /token': () => ({ json: { access_token: 'at', refresh_token: 'rt-1', expires_in: 3600 } }),
      '*': () => ({ json: { data: [{ id: 'orders' }] } }),
    })
    const authenticator = rotatingAuth(api.url)
    const template = stream(api.url, { name: 'made', requester: { authenticator } }) as { retriever: object }
    const components_mapping = [
      { type: 'ComponentMappingDefinition', field_path: ['name'], value: "{{ components_values['id'] }}" },
    ]
    const components_resolver = { type: 'HttpComponentsResolver', retriever: template.retriever, components_mapping }
    const dynamic = { type: 'DynamicDeclarativeStream', name: 'all', stream_template: template, components_resolver }
    await using files = await tempFolder()
    const check = { type: 'CheckDynamicStream', stream_count: 1 }
    const manifest = await files.write(
      'manifest.json',
      manifestOf([], { streams: [], dynamic_streams: [dynamic], check }),
    )
    const config = await files.write('config.json', { credentials: { refresh_token: 'rt-0' } })

    const ran = await runCli([command, '--manifest-path', manifest, '--config', config])

    assert.equal(ran.code, 0, ran.stdout)
    if (command === 'read') assert.equal(messagesIn(ran).filter(({ type }) => type === 'CONTROL').length, 1)
    assert.match(await readFile(config, 'utf8'), /"refresh_token":"rt-1"/)
    assert.equal(api.asked.filter((line) => line === 'POST /token').length, 1)
  })
}

for (const [command, more] of [
  ['read', []],
  ['check', []],
  ['diagnose', ['--stream', 'orders']],
  ['record', ['--no-survey']],
] as const) {
  test(`${command}: a refresh token that could not be stored at first is stored at the end`, async () => {
    await using files = await tempFolder()
    const config = await files.write('config.json', { credentials: { refresh_token: 'rt-0' } })
    let isAway = false
    await using api = await serveApi({
      'POST /token': async () => {
        // A folder in the place of the file refuses every user, root too.
        await rename(config, `${config}.away`)
        await mkdir(config)
        isAway = true
        return { json: { access_token: 'at', refresh_token: 'rt-1', expires_in: 3600 } }
      },
      '*': async () => {
        if (isAway) {
          await rmdir(config)
          await rename(`${config}.away`, config)
        }
        isAway = false
        return { json: { data: [{ id: 1 }] } }
      },
    })
    const authenticator = rotatingAuth(api.url)
    const orders = stream(api.url, { name: 'orders', requester: { authenticator } })
    const manifest = await files.write('manifest.json', manifestOf([orders]))

    const { stdout, stderr } = await runCli([command, '--manifest-path', manifest, '--config', config, ...more])

    assert.match(await readFile(config, 'utf8'), /"refresh_token":"rt-1"/, stdout + stderr)
    assert.match(stdout + stderr, /could not be saved to .*\n(?:.*\n)*.*The changed config is now in/)
    assert.equal(api.asked.filter((line) => line === 'POST /token').length, 1)
  })
}
