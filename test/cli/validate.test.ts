import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runCli } from './run-cli.ts'
import { manifestOf, stream, tempFolder } from './shop.ts'

type Report = {
  manifest: string
  problems: { code: string; severity: string; at: { pointer: string; line: number; column: number; file: string } }[]
  unsupported: { type: string }[]
  streams: { name: string; runs: boolean; needsCustomCode: Record<string, unknown>[]; unsupported: string[] }[]
}

describe('turnleaf validate', { concurrency: 4 }, () => {
  test('the manifest of the lab has no problems', async () => {
    const ran = await runCli(['validate', 'connectors/lab/manifest.yaml'])
    assert.equal(ran.code, 0, ran.stdout)
    assert.match(ran.stdout, /^ {2}offset +runs$/m)
    assert.match(ran.stdout, /connectors\/lab\/manifest\.yaml: no problems; (\d+) of \1 streams run\n$/)
  })

  test('a folder, or standard input, will do', async () => {
    await using files = await tempFolder()
    const manifest = manifestOf([stream('https://example.com', { name: 'orders' })])
    await files.write('manifest.yaml', manifest)
    assert.equal((await runCli(['validate', files.folder])).code, 0)
    assert.equal((await runCli(['validate', '-'], { input: JSON.stringify(manifest) })).code, 0)
    assert.equal((await runCli(['validate', '-'], { input: '' })).code, 2)
  })

  test('each problem has a code, a place and a hint', async () => {
    await using files = await tempFolder()
    const path = await files.write(
      'manifest.yaml',
      'version: 6.0.0\ntype: DeclarativeSource\ncheck: {type: CheckStraem}\nstreams: 3\n',
    )
    const ran = await runCli(['validate', path])
    assert.equal(ran.code, 2)
    assert.match(ran.stdout, /^manifest\/[a-z-]+: .*\n {2}at {3}\/check.* {2}.*manifest\.yaml:3:\d+\n.*\n {2}try {2}/m)
    assert.match(ran.stdout, /manifest\.yaml: \d+ errors\n$/)
    assert.equal(ran.stderr, '')
  })

  test('all templates that do not compile are reported, with their place', async () => {
    await using files = await tempFolder()
    const requester = { request_parameters: { a: '{{ config[ }}', b: '{% if %}' } }
    const streams = [
      stream('https://example.com', { name: 'orders', requester }),
      stream('https://example.com', { name: 'fine' }),
    ]
    const path = await files.write('manifest.json', manifestOf(streams))
    const ran = await runCli(['validate', path, '--json'])
    const { problems } = JSON.parse(ran.stdout) as Report
    assert.equal(ran.code, 2)
    assert.deepEqual(
      problems.map(({ code, severity }) => `${code} ${severity}`),
      ['template/syntax error', 'template/syntax error'],
    )
    const pointers = problems.map(({ at }) => at.pointer)
    assert.deepEqual(
      pointers,
      ['a', 'b'].map((name) => `/streams/0/retriever/requester/request_parameters/${name}`),
    )
    for (const { at } of problems) assert.ok(at.line === 1 && at.column > 1 && at.file === path)
  })

  test('a structural error hides no template error, in another stream or in its own', async () => {
    await using files = await tempFolder()
    const wrongly = { request_parameters: { a: '{{ config[ }}' } }
    const cursor = { type: 'DatetimeBasedCursor', cursor_field: 'at', datetime_format: '%Y', start_datetime: '2024' }
    const streams = [
      stream('https://example.com', { name: 'broken', requester: { ...wrongly, http_method: 'FETCH' } }),
      stream('https://example.com', { name: 'templates', requester: { request_headers: { X: '{{ confg.a }}' } } }),
      stream('https://example.com', { name: 'step', stream: { incremental_sync: { ...cursor, step: '1 day' } } }),
      { type: 'DeclarativeStream', name: 'lost', retriever: { $ref: '#/definitions/nothing' } },
      3,
    ]
    const path = await files.write('manifest.json', manifestOf(streams as object[], { spec: { type: 'Spec' } }))
    const ran = await runCli(['validate', path, '--json'])
    const { problems, streams: verdicts } = JSON.parse(ran.stdout) as Report
    assert.equal(ran.code, 2)
    assert.deepEqual(verdicts, [], 'nothing runs while the structure is wrong')
    const errors = problems.filter(({ severity }) => severity === 'error')
    const told = errors.map(({ code, at }) => `${code} ${at.pointer}`)
    for (const wanted of [
      'template/syntax /streams/0/retriever/requester/request_parameters/a',
      'template/unknown-name /streams/1/retriever/requester/request_headers/X',
      'plan/invalid-duration /streams/2/incremental_sync/step',
      'manifest/wrong-type /streams/4',
      'manifest/invalid-value /streams/0/retriever/requester/http_method',
    ])
      assert.ok(told.includes(wanted), `${wanted} is not in ${told.join(', ')}`)
    assert.ok(told.some((one) => one.startsWith('manifest/broken-reference')))
    assert.equal(new Set(told).size, told.length)
  })

  test('--json is for programs; what cannot run yet is no error', async () => {
    await using files = await tempFolder()
    const custom = {
      incremental_sync: { type: 'CustomIncrementalSync', class_name: 'source_x.y.Z', cursor_field: 'at' },
    }
    const streams = [
      stream('https://example.com', { name: 'orders' }),
      stream('https://example.com', { name: 'later', stream: custom }),
    ]
    const path = await files.write('manifest.json', manifestOf(streams))
    const ran = await runCli(['validate', path, '--json'])
    const report = JSON.parse(ran.stdout) as Report
    assert.equal(ran.code, 0, ran.stdout)
    assert.equal(report.manifest, path)
    assert.deepEqual(
      report.unsupported.map(({ type }) => type),
      ['CustomIncrementalSync'],
    )
    assert.deepEqual(report.streams, [
      { name: 'orders', runs: true, needsCustomCode: [], unsupported: [] },
      { name: 'later', runs: false, needsCustomCode: [], unsupported: ['CustomIncrementalSync'] },
    ])
    const words = await runCli(['validate', path])
    assert.match(words.stdout, /^ {2}later +unsupported: CustomIncrementalSync$/m)
  })

  test('streams that need classes say which, what they extend and where they belong', async () => {
    await using files = await tempFolder()
    const own = (name: string) => ({
      transformations: [{ type: 'CustomTransformation', class_name: `source_shop.components.${name}` }],
    })
    const oauth = { type: 'CustomAuthenticator', class_name: 'source_shop.components.ShopOAuth' }
    const authenticator = {
      type: 'SelectiveAuthenticator',
      authenticator_selection_path: ['how'],
      authenticators: { key: { type: 'BearerAuthenticator', api_token: 'x' }, oauth },
    }
    const at = (name: string, parts: object) => stream('https://example.com', { name, ...parts })
    const path = await files.write(
      'manifest.json',
      manifestOf([
        at('plain', {}),
        at('written', { stream: own('Written') }),
        at('missing', { stream: own('Missing') }),
        at('chosen', { requester: { authenticator } }),
      ]),
    )
    await files.write(
      'source_shop/components.js',
      "import { RecordTransformation } from 'turnleaf'\nexport class Written extends RecordTransformation { transform(record) { return record } }",
    )
    const { stdout, code } = await runCli(['validate', path])
    assert.equal(code, 0)
    assert.match(stdout, /^ {2}plain +runs$/m)
    assert.match(stdout, /^ {2}written +runs$/m)
    assert.match(stdout, /^ {2}missing +needs custom code: Missing$/m)
    assert.match(stdout, /^ {2}chosen +runs, unless the config selects ShopOAuth$/m)
    assert.match(stdout, /^ {2}transformation +class Missing extends RecordTransformation: .*exports Written\.$/m)
    assert.match(stdout, /3 of 4 streams run, 1 needs custom code\n$/)
    const { streams } = JSON.parse((await runCli(['validate', path, '--json'])).stdout) as Report
    assert.deepEqual(
      streams[2]?.needsCustomCode.map(({ className, role, base }) => [className, role, base]),
      [['source_shop.components.Missing', 'transformation', 'RecordTransformation']],
    )
  })

  test('a file that is not there is a fault', async () => {
    const ran = await runCli(['validate', 'no/such.yaml'])
    assert.equal(ran.code, 2)
    assert.equal(ran.stdout, '')
    assert.match(ran.stderr, /^cli\/file: /)
  })
})
