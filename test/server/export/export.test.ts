import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { startLab } from '../../../src/lab/lab.ts'
import { sampleText } from '../../../src/server/sample.ts'
import { connectorFolder } from '../../helpers/connector-folder.ts'
import { programOf } from '../../helpers/docs.ts'
import { manifestOf, sourceOf } from '../../helpers/manifests.ts'
import { serveApi } from '../../helpers/serve-api.ts'
import { openApi } from '../connectors/asking.ts'

/** Runs a program as it was exported; lines of standard output. */
async function run(program: string, files: Record<string, string> = {}, env: Record<string, string> = {}) {
  await using own = await connectorFolder({ ...files, 'main.mjs': await programOf(program) })
  const { stdout } = await promisify(execFile)(process.execPath, ['main.mjs'], {
    cwd: own.folder,
    env: { ...process.env, ...env },
  })
  return stdout.split('\n').filter((line) => line !== '')
}

async function exported(text: string, name = 'shop'): Promise<string> {
  using api = openApi()
  const reply = await api.app.request('/v1/exports', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, text, format: 'typescript' }),
  })
  const program = await reply.text()
  assert.equal(reply.status, 200, program)
  return program
}

const withSpec = (source: object, connection_specification: object) =>
  JSON.stringify({ ...source, spec: { type: 'Spec', connection_specification } })

describe('export', () => {
  test('YAML with a character that YAML does not allow is refused, with its place; other unfinished text is not', async () => {
    using api = openApi()
    const ask = (text: string) =>
      api.app.request('/v1/exports', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'shop', text, format: 'yaml' }),
      })
    for (const [character, name] of [
      ['\u0001', 'U+0001'],
      ['\u007f', 'U+007F'],
      ['\ud800', 'U+D800'],
      ['\ufffe', 'U+FFFE'],
    ]) {
      const reply = await ask(`streams:\n  - a${character}`)
      assert.equal(reply.status, 422, name)
      const problem = (await reply.json()) as { code: string; detail: string; at: object }
      assert.equal(problem.code, 'manifest/syntax')
      assert.match(problem.detail, new RegExp(name?.replace('+', '\\+') ?? ''))
      assert.deepEqual(problem.at, { pointer: '', line: 2, column: 6 })
    }
    for (const text of ['', 'streams: [', 'a: "\u0085 😀 \u2028 é"\r\n\tb']) {
      const reply = await ask(text)
      assert.equal(reply.status, 200)
      assert.equal(await reply.text(), text)
    }
  })

  test('YAML is the file on disk', async () => {
    using api = openApi()
    const text = '# comments, ☃ and\r\nbroken: [yaml\n'
    api.put('my-shop/manifest.yaml', text)
    for (const query of ['', '?format=yaml']) {
      const reply = await api.app.request(`/v1/connectors/my-shop/export${query}`)
      assert.equal(reply.headers.get('content-type'), 'application/yaml; charset=utf-8')
      assert.equal(reply.headers.get('content-disposition'), 'attachment; filename="my-shop.yaml"')
      assert.equal(await reply.text(), text)
    }
  })

  test('the program of the sample reads every record of every stream, long numbers whole', async () => {
    await using lab = await startLab()
    using api = openApi()
    api.put('sample/manifest.yaml', sampleText(lab.url))
    const reply = await api.app.request('/v1/connectors/sample/export?format=typescript')
    assert.equal(reply.headers.get('content-disposition'), 'attachment; filename="sample.ts"')
    const lines = await run(await reply.text())
    assert.equal(lines.length, 1000)
    const streams = new Set(lines.map((line) => /^\{"stream":"(\w+)"/.exec(line)?.[1]))
    assert.deepEqual([...streams], ['customers', 'orders', 'payments', 'reviews'])
    assert.match(lines[0] ?? '', /"big_id":1\d{18},/)
  })

  test('secrets and required values come from the environment, the rest is written out', async () => {
    await using shop = await serveApi({
      'GET /items': (_, { headers }) => ({ json: { data: [{ as: headers.authorization }] } }),
    })
    const api_token = "{{ config['credentials']['api_token'] }}{{ config.get('api-key', '') }}"
    const authenticator = { type: 'BearerAuthenticator', api_token }
    const text = withSpec(manifestOf({ url: shop.url, requester: { authenticator } }), {
      type: 'object',
      required: ['credentials', 'shop id', 'pages'],
      properties: {
        'api-key': { type: ['string', 'null'], airbyte_secret: true, order: 9 },
        optional: { type: 'string', description: 'Not needed.\nReally */ not.' },
        pages: { type: ['null', 'integer'] },
        region: { type: 'string', enum: ['us', 'eu'], default: 'eu', order: 0 },
        'shop id': { type: 'string', title: 'Shop' },
        credentials: {
          oneOf: [
            {
              title: 'Token',
              type: 'object',
              required: ['kind', 'api_token'],
              properties: {
                kind: { const: 'token' },
                api_token: {
                  type: 'string',
                  airbyte_secret: true,
                  default: 'leaked',
                  description: 'From <b>settings</b>.',
                },
              },
            },
            { title: 'OAuth', type: 'object', required: ['refresh_token'] },
          ],
        },
        extra: { type: 'object', properties: { __proto__: { type: 'string' }, deep: { type: 'boolean' } } },
      },
    })
    const program = await exported(text, 'my-shop')
    const [, config] = /^const config = (\{.*?^\})$/ms.exec(program) ?? []
    assert.equal(
      config,
      `{
  // One of 'us', 'eu'.
  region: 'eu',
  ...ifSet('api-key', 'MY_SHOP_API_KEY'),
  // Not needed.
  // optional: fromEnvironment('MY_SHOP_OPTIONAL'),
  pages: Number(fromEnvironment('MY_SHOP_PAGES')),
  // Shop
  'shop id': fromEnvironment('MY_SHOP_SHOP_ID'),
  // One of Token, OAuth.
  credentials: {
    kind: 'token',
    // From settings.
    api_token: fromEnvironment('MY_SHOP_CREDENTIALS_API_TOKEN'),
  },
  // extra: {
  //   // deep: fromEnvironment('MY_SHOP_EXTRA_DEEP') === 'true',
  // },
}`,
    )
    assert.ok(!config?.includes('leaked'))
    assert.match(
      program,
      /^ \* {5}MY_SHOP_PAGES=… MY_SHOP_SHOP_ID=… MY_SHOP_CREDENTIALS_API_TOKEN=… node my-shop\.ts$/m,
    )
    const env = { MY_SHOP_PAGES: '3', MY_SHOP_SHOP_ID: 'x', MY_SHOP_CREDENTIALS_API_TOKEN: 's3cret' }
    assert.deepEqual(await run(program, {}, env), ['{"stream":"items","record":{"as":"Bearer s3cret"}}'])
    const withKey = await run(program, {}, { ...env, MY_SHOP_API_KEY: '+key' })
    assert.deepEqual(withKey, ['{"stream":"items","record":{"as":"Bearer s3cret+key"}}'])
    await assert.rejects(run(program, {}, { MY_SHOP_PAGES: '3' }), /Set MY_SHOP_SHOP_ID in the environment\./)
  })

  test('a manifest comes through whole, whatever is in it', async () => {
    await using shop = await serveApi({ 'GET /items': (query) => ({ json: { data: [{ q: query.get('q') }] } }) })
    const q = 'a`b${c}\\d\\n $ { "e" \' ☃ \u2028 */'
    const text = `# \`\${1}\` \\u0041 */\r\n${JSON.stringify(manifestOf({ url: shop.url, requester: { request_parameters: { q } } }))}`
    const [line = ''] = await run(await exported(text))
    assert.deepEqual(JSON.parse(line), { stream: 'items', record: { q } })
  })

  test('custom classes are loaded from the folder of the program', async () => {
    await using shop = await serveApi({ 'GET /items': () => ({ json: { rows: [{ id: 1 }] } }) })
    const extractor = { type: 'CustomRecordExtractor', class_name: 'source_shop.rows.Rows' }
    const program = await exported(JSON.stringify(manifestOf({ url: shop.url, selector: { extractor } })))
    const code = `import { RecordExtractor } from 'turnleaf'
export class Rows extends RecordExtractor { extract({ rows }) { return rows } }`
    assert.deepEqual(await run(program, { 'source_shop/rows.ts': code }), ['{"stream":"items","record":{"id":1}}'])
  })

  test('where only the API knows the streams, the program is a sync', async () => {
    const source = {
      ...sourceOf([]),
      check: { type: 'CheckDynamicStream', stream_count: 1 },
      streams: undefined,
      dynamic_streams: [
        {
          type: 'DynamicDeclarativeStream',
          name: 'tables',
          stream_template: (manifestOf({ url: 'http://127.0.0.1:1' }) as { streams: object[] }).streams[0],
          components_resolver: {
            type: 'HttpComponentsResolver',
            retriever: (manifestOf({ url: 'http://127.0.0.1:1' }) as { streams: { retriever: object }[] }).streams[0]
              ?.retriever,
            components_mapping: [{ type: 'ComponentMappingDefinition', field_path: ['name'], value: 'x' }],
          },
        },
      ],
    }
    const program = await exported(JSON.stringify(source))
    assert.match(program, /await sync\(manifest, \{ config, to: 'duckdb:shop\.duckdb', connection: 'shop' \}\)/)
  })

  test('a manifest that cannot run makes no program, and the problem says why', async () => {
    using api = openApi()
    for (const text of ['streams: [', 'version: 6.0.0\nstreams: []\n']) {
      const { status, body } = await api.ask('POST', '/v1/exports', { name: 'shop', text, format: 'typescript' })
      assert.equal(status, 422)
      assert.match(body.code, /^manifest\//)
      assert.ok(body.problems.length > 0)
    }
    const { status } = await api.ask('POST', '/v1/exports', { name: 'shop', text: 'x', format: 'python' })
    assert.equal(status, 400)
    assert.equal((await api.ask('GET', '/v1/connectors/nobody/export')).status, 404)
  })
})
