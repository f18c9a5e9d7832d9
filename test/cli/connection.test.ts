import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { serveApi } from '../helpers/serve-api.ts'
import { runCli } from './run-cli.ts'
import { idsIn, manifestOf, orders, ordersFrom, stream, tempFolder } from './shop.ts'

const ids = orders.map(({ id }) => id)
const secret = 's3cr3t-of-the-shop'

/** A home with a connector that needs a key, and an API that accepts one key only. */
async function shop() {
  const api = await serveApi({
    '*': (query, { headers }) => (headers['x-key'] === secret ? ordersFrom(query) : { status: 401, json: {} }),
  })
  const files = await tempFolder()
  const requester = { request_headers: { 'x-key': "{{ config['api_key'] }}" } }
  const streams = ['orders', 'items'].map((name) => stream(api.url, { name, requester }))
  const properties = { api_key: { type: 'string', airbyte_secret: true }, start: { type: 'string' } }
  const spec = {
    type: 'Spec',
    connection_specification: { type: 'object', required: ['api_key'], properties },
  }
  await files.write('connectors/shop/manifest.json', manifestOf(streams, { spec }))
  await files.write('by-name.yaml', 'api_key: ${SHOP_KEY}\nstart: "2024-01-01"\n')
  const cwd = files.folder
  const cli = (args: readonly string[], env: Record<string, string> = { SHOP_KEY: secret }) =>
    runCli(args, { cwd, env })
  const add = ['connection', 'add', 'shop', '--connector', 'shop', '--to', 'jsonl:out']
  return {
    api,
    files,
    cwd,
    cli,
    /** Adds it with a key from the environment. */
    add: (...more: readonly string[]) => cli([...add, '--config', 'by-name.yaml', ...more]),
    addWith: (config: string) => cli([...add, '--config', config]),
    yaml: () => readFile(join(cwd, 'connections/shop/connection.yaml'), 'utf8'),
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]()
      await files[Symbol.asyncDispose]()
    },
  }
}

describe('turnleaf connection', { concurrency: 4 }, () => {
  test('add writes a file that people can read; sync, list, show and remove take its name', async () => {
    await using own = await shop()
    const added = await own.add('--stream', 'orders', '--mode', 'full-refresh-append', '--require', 'unproven')
    assert.equal(added.code, 0, added.stderr)
    assert.equal(added.stdout, '')
    assert.match(added.stderr, /^Added connections\/shop\/connection\.yaml\.\n.*connection check shop\n.*sync shop\n$/s)
    assert.equal(
      await own.yaml(),
      'connector: shop\nconfig:\n  api_key: ${SHOP_KEY}\n  start: "2024-01-01"\ndestination: jsonl:../../out\n' +
        'streams:\n  - orders\nmode: full-refresh-append\nrequire: unproven\n',
    )

    const synced = await own.cli(['sync', 'shop'])
    assert.equal(synced.code, 0, synced.stderr)
    assert.match(synced.stderr, /^Syncing 1 stream of "shop" into jsonl:out: run /m)
    assert.match(synced.stderr, /full_refresh_append/)
    assert.deepEqual(await idsIn(join(own.cwd, 'out'), 'orders'), ids)
    assert.ok(!synced.stderr.includes(secret))

    const listed = await own.cli(['connection', 'list'])
    assert.equal(
      listed.stdout,
      'name   connector   destination       streams\nshop   shop        jsonl:../../out   orders\n',
    )
    const shown = await own.cli(['connection', 'show', 'shop', '--json'])
    const { config, streams, require } = JSON.parse(shown.stdout) as Record<string, unknown>
    assert.deepEqual(
      [config, streams, require],
      [{ api_key: '${SHOP_KEY}', start: '2024-01-01' }, ['orders'], 'unproven'],
    )
    assert.equal((await own.cli(['connection', 'show', './connections/shop'])).stdout, await own.yaml())

    const removed = await own.cli(['connection', 'remove', 'shop'])
    assert.equal(removed.code, 0, removed.stderr)
    assert.ok(!existsSync(join(own.cwd, 'connections/shop')))
    assert.match(removed.stderr, /^Removed shop\. .* in connections\/\.trash\/.*-shop until/)
    assert.match((await own.cli(['connection', 'list'])).stderr, /^There are no connections yet/)
    assert.deepEqual(await idsIn(join(own.cwd, 'out'), 'orders'), ids)
  })

  test('a plain secret is moved to a file that only its owner can read, and never printed', async () => {
    await using own = await shop()
    const config = await own.files.write('plain.json', { api_key: secret })
    const added = await own.addWith(config)
    assert.equal(added.code, 0, added.stderr)
    assert.match(
      added.stderr,
      /^`api_key` is a secret: it was moved to connections\/shop\/secrets\/api_key, which only you can read and git ignores\.$/m,
    )
    assert.match(await own.yaml(), /^ {2}api_key: file:secrets\/api_key$/m)
    const folder = join(own.cwd, 'connections/shop/secrets')
    assert.equal(await readFile(join(folder, 'api_key'), 'utf8'), `${secret}\n`)
    assert.equal((await stat(join(folder, 'api_key'))).mode & 0o777, 0o600)
    assert.equal(await readFile(join(folder, '.gitignore'), 'utf8'), '*\n')
    const shown = await Promise.all(
      [
        ['show', 'shop'],
        ['show', 'shop', '--json'],
        ['list', '--json'],
        ['check', 'shop', '--json'],
      ].map((args) => own.cli(['connection', ...args])),
    )
    for (const { code, stdout, stderr } of [added, ...shown]) {
      assert.equal(code, 0, stderr)
      assert.ok(!`${stdout}${stderr}`.includes(secret))
    }
    const synced = await own.cli(['sync', 'connections/shop', '--stream', 'items'])
    assert.equal(synced.code, 0, synced.stderr)
    assert.deepEqual(await idsIn(join(own.cwd, 'out'), 'items'), ids)
  })

  test('a password in the address is moved to a file as well', async () => {
    await using own = await shop()
    const args = ['connection', 'add', 'db', '--connector', './connectors/shop', '--to']
    const added = await own.cli([...args, 'postgres://me:hunter22@localhost/shop'])
    assert.equal(added.code, 0, added.stderr)
    const folder = join(own.cwd, 'connections/db')
    assert.equal(
      await readFile(join(folder, 'connection.yaml'), 'utf8'),
      'connector: ../../connectors/shop\ndestination: file:secrets/destination\n',
    )
    assert.equal(await readFile(join(folder, 'secrets/destination'), 'utf8'), 'postgres://me:hunter22@localhost/shop\n')
    assert.ok(!added.stderr.includes('hunter22'))
  })

  test('check reports each part, and what to do about what fails', async () => {
    await using own = await shop()
    await own.add()
    const fine = await own.cli(['connection', 'check', 'shop'])
    assert.equal(fine.code, 0, fine.stderr)
    assert.equal(fine.stdout, 'references    ok\nconnector     ok\nAPI           ok\ndestination   ok   jsonl:out\n')

    const unset = await own.cli(['connection', 'check', 'shop'], {})
    assert.equal(unset.code, 2)
    assert.match(
      unset.stdout,
      /^references {4}failed\nconnector {5}ok\nAPI {11}not checked\ndestination {3}not checked$/m,
    )
    assert.match(
      unset.stderr,
      /^connections\/missing-variable: `config\.api_key` needs the environment variable SHOP_KEY, which is not set\.\n {2}at {3}\/config\/api_key {2}connections\/shop\/connection\.yaml:3:12\n/,
    )

    const refusedByApi = await own.cli(['connection', 'check', 'shop', '--json'], { SHOP_KEY: 'another-key' })
    assert.equal(refusedByApi.code, 1)
    const { isReady, checks } = JSON.parse(refusedByApi.stdout) as { isReady: boolean; checks: { status: string }[] }
    assert.equal(isReady, false)
    assert.deepEqual(
      checks.map(({ status }) => status),
      ['ok', 'ok', 'failed', 'ok'],
    )
    assert.ok(!`${refusedByApi.stdout}${refusedByApi.stderr}`.includes('another-key'))

    await writeFile(
      join(own.cwd, 'connections/shop/connection.yaml'),
      'connector: shp\nconfig: { api_key: x }\ndestination: parquet:/dev/null/x\n',
    )
    const broken = await own.cli(['connection', 'check', 'shop'])
    assert.match(
      broken.stderr,
      /^connections\/no-connector: .*\n.*connection\.yaml:1:12\n {2}try {2}Did you mean shop\?$/m,
    )
    assert.match(broken.stdout, /^destination {3}failed$/m)
  })

  test('check compares streams and modes with the manifest: also where config or API decide on the streams', async () => {
    await using own = await shop()
    await own.add('--stream', 'orders', '--mode', 'items=full-refresh-append', '--mode', '*=full-refresh-overwrite')
    const file = join(own.cwd, 'connections/shop/connection.yaml')
    const text = await readFile(file, 'utf8')
    assert.equal((await own.cli(['connection', 'check', 'shop'])).code, 0)

    await writeFile(file, text.replace('- orders', '- nope'))
    const named = await own.cli(['connection', 'check', 'shop'])
    assert.equal(named.code, 2)
    assert.match(named.stdout, /^connector {5}failed\nAPI {11}not checked$/m)
    assert.match(
      named.stderr,
      /^manifest\/unknown-stream: There is no stream "nope"; .*\n {2}at {3}\/streams\/0 {2}connections\/shop\/connection\.yaml:7:5$/m,
    )
    await writeFile(file, text.replace('items:', 'bar:'))
    const mode = await own.cli(['connection', 'check', 'shop'])
    assert.match(mode.stderr, /^manifest\/unknown-stream: There is no stream "bar"; .*\n {2}at {3}\/mode\/bar {2}/m)

    const requester = { request_headers: { 'x-key': secret } }
    const [first, items] = ['orders', 'items'].map((name) => stream(own.api.url, { name, requester }))
    const condition = "{{ config['wants_items'] }}"
    await own.files.write(
      'connectors/open/manifest.json',
      manifestOf([first ?? {}, { type: 'ConditionalStreams', condition, streams: [items] }]),
    )
    await own.files.write('key.yaml', 'wants_items: false\n')
    const args = ['connection', 'add', 'open', '--connector', 'open', '--to', 'jsonl:out', '--config', 'key.yaml']
    assert.equal((await own.cli([...args, '--stream', 'items'])).code, 0)
    const conditional = await own.cli(['connection', 'check', 'open'])
    assert.equal(conditional.code, 2)
    assert.match(conditional.stdout, /^connector {5}ok\nAPI {11}failed$/m)
    assert.match(
      conditional.stderr,
      /^manifest\/unknown-stream: There is no stream "items"; the manifest has orders\.$/m,
    )
  })

  test('errors name what is wrong, and nothing is half written', async () => {
    await using own = await shop()
    await own.add()
    await own.files.write('imported/manifest.json', manifestOf([]))
    const cases: [args: readonly string[], code: number, says: RegExp][] = [
      [
        ['connection', 'add', 'shop', '--connector', 'shop'],
        2,
        /^connections\/exists: connections\/shop already exists/,
      ],
      [['connection', 'add', 'My Shop', '--connector', 'shop'], 2, /^connections\/name: "My Shop"/],
      [
        ['connection', 'add', 'new', '--connector', 'shopp'],
        2,
        /^connections\/no-connector: There is no connector "shopp" in connectors; there is shop\.\n {2}try {2}Did you mean shop\?/,
      ],
      [
        ['connection', 'add', 'new', '--connector', 'imported'],
        2,
        /^connections\/no-connector: .*\n {2}try {2}For imported in the current folder, write \.\/imported\.\n$/,
      ],
      [['connection', 'add', 'new', '--connector', './nowhere'], 2, /^cli\/file: Cannot read the manifest \.\/nowhere/],
      [['connection', 'add', 'new', '--connector', 'shop', '--to', 'mysql:x'], 2, /^destinations\/unknown: /],
      [['connection', 'add', 'new', '--connector', 'shop', '--mode', 'merge'], 2, /^sync\/unknown-mode: /],
      [
        ['connection', 'add', 'new', '--connector', 'shop', '--stream', 'ordes'],
        2,
        /^manifest\/unknown-stream: There is no stream "ordes"; the manifest has orders, items\.[^]*Did you mean "orders"\?/,
      ],
      [
        ['connection', 'add', 'new', '--connector', 'shop', '--mode', 'bar=full-refresh-append'],
        2,
        /^manifest\/unknown-stream: There is no stream "bar"; the manifest has orders, items\./,
      ],
      [['connection', 'show', 'shpo'], 2, /^connections\/not-found: .*there is shop\.\n {2}try {2}Did you mean shop\?/],
      [['connection', 'remove', './connections/shop'], 2, /^connections\/name: /],
      [['sync', 'shpo'], 2, /^connections\/not-found: .*\n {2}try {2}Did you mean shop\?/],
      [['sync', './nowhere'], 2, /^connections\/not-found: There is no connection at \.\/nowhere/],
      [['sync', 'shop', '--to', 'jsonl:other'], 2, /^cli\/arguments: --to cannot be combined with a connection/],
      [
        ['sync', 'shop', '--manifest-path', 'connectors/shop'],
        2,
        /^cli\/arguments: --manifest-path cannot be combined/,
      ],
      [
        ['sync', 'connectors/shop/manifest.json', '--to', 'jsonl:other'],
        2,
        /^connections\/invalid: .* is a manifest, not a connection.*\n.*\n.*--manifest-path connectors\/shop\/manifest\.json/,
      ],
      [['sync', 'connectors/shop'], 2, /^connections\/not-found: .*\n.*--manifest-path connectors\/shop\./],
      [['diagnose', 'manifest.yaml'], 2, /^connections\/not-found: .*\n.*--manifest-path manifest\.yaml/],
      [
        ['read', 'shop.yaml'],
        2,
        /^cli\/arguments: Too many arguments.*\n {2}try {2}Write --manifest-path shop\.yaml\./,
      ],
      [['connection', 'ad', 'x'], 2, /^cli\/arguments: .*'ad'.*\n {2}try {2}Did you mean add\?/],
      [['connection', 'add', 'x'], 2, /^cli\/arguments: .*--connector.*\n.*turnleaf connection add --help/],
    ]
    for (const [args, code, says] of cases) {
      const ran = await own.cli(args)
      assert.equal(ran.code, code, `${args.join(' ')}: ${ran.stderr}`)
      assert.match(ran.stderr, says)
    }
    assert.deepEqual(await readdir(join(own.cwd, 'connections')), ['shop'])
  })

  test('a broken connection is listed with its error, and can be removed', async () => {
    await using own = await shop()
    await own.files.write('connections/bad/connection.yaml', 'connectr: shop\n')
    await own.files.write('connections/no-connection/notes.txt', '')
    const { stdout } = await own.cli(['connection', 'list', '--json'])
    const { name, problem } = JSON.parse(stdout) as { name: string; problem: { code: string } }
    assert.deepEqual([name, problem.code], ['bad', 'connections/invalid'])
    assert.match((await own.cli(['connection', 'list'])).stdout, /^bad {3,}-.*connections\/invalid: /m)
    assert.equal((await own.cli(['connection', 'remove', 'bad'])).code, 0)
  })

  test('a sync with bad pages suggests a diagnosis of the connection, which runs', async () => {
    await using files = await tempFolder()
    await using api = await serveApi({ '*': (query) => ({ json: { ...ordersFrom(query).json, total: 9 } }) })
    await files.write('connectors/shop/manifest.json', manifestOf([stream(api.url, { name: 'orders' })]))
    await files.write(
      'connections/shop/connection.yaml',
      'connector: shop\ndestination: jsonl:../../out\nprefetch: off\n',
    )
    const synced = await runCli(['sync', 'shop'], { cwd: files.folder })
    assert.equal(synced.code, 1)
    assert.match(synced.stderr, /^To find out why: npx turnleaf diagnose shop --stream orders$/m)
    const found = await runCli(['diagnose', 'shop', '--stream', 'orders', '--json'], { cwd: files.folder })
    assert.equal(found.code, 1)
    assert.equal((JSON.parse(found.stdout) as { stream: string }).stream, 'orders')
  })
})

describe('references in --config', { concurrency: 4 }, () => {
  test('are filled in by every command', async () => {
    await using own = await shop()
    const source = ['--manifest-path', 'connectors/shop', '--config', 'by-name.yaml']
    for (const args of [['check'], ['read', '--stream', 'orders'], ['sync', '--to', 'jsonl:out']]) {
      const before = own.api.requests.length
      const ran = await own.cli([args[0] ?? '', ...source, ...args.slice(1)])
      assert.equal(ran.code, 0, ran.stderr)
      assert.equal(own.api.requests[before]?.headers['x-key'], secret)
      assert.ok(!`${ran.stdout}${ran.stderr}`.includes(secret))
    }
    const missing = await own.cli(['read', ...source, '--stream', 'orders'], {})
    assert.equal(missing.code, 2)
    assert.match(missing.stderr, /^connections\/missing-variable: `api_key` needs the environment variable SHOP_KEY/)
  })

  for (const kind of ['--config', 'a connection'] as const) {
    test(`a token that the API replaces: ${kind} keeps its references, and the next sync uses the new one`, async () => {
      let token = 0
      let revoked = 0
      await using api = await serveApi({
        'POST /token': (_, { body }) => {
          const isCurrent = new URLSearchParams(body).get('refresh_token') === `rt-s3cret-${token}`
          if (!isCurrent) return { status: 400, json: { error: 'invalid_grant' } }
          token++
          return { json: { access_token: `at-s3cret-${token}`, refresh_token: `rt-s3cret-${token}` } }
        },
        'GET /orders': (query, { headers }) => {
          const [, given] = /at-s3cret-(\d+)/.exec(headers.authorization ?? '') ?? []
          return Number(given) > revoked ? ordersFrom(query) : { status: 401, json: {} }
        },
      })
      const authenticator = {
        type: 'OAuthAuthenticator',
        token_refresh_endpoint: `${api.url}/token`,
        client_id: "{{ config['id'] }}",
        client_secret: "{{ config['client_secret'] }}",
        refresh_token_updater: {},
      }
      await using files = await tempFolder()
      const cwd = files.folder
      await files.write(
        'connectors/shop/manifest.json',
        manifestOf([stream(api.url, { name: 'orders', requester: { authenticator } })]),
      )
      const values = '{ "id": "me", "client_secret": "${CS}", "credentials": { "refresh_token": "${RT}" } }'
      const isConnection = kind === 'a connection'
      const file = isConnection ? 'connections/shop/connection.yaml' : 'config.json'
      const text = `# Ours.\nconnector: shop\ndestination: jsonl:../../out\nconfig: ${values}\n`
      await files.write(file, isConnection ? text : values)
      const source = isConnection
        ? ['shop']
        : ['--manifest-path', 'connectors/shop', '--config', file, '--to', 'jsonl:out']
      const run = () => runCli(['sync', ...source, '--fresh'], { cwd, env: { CS: 'cs-s3cret', RT: 'rt-s3cret-0' } })

      const first = await run()
      assert.equal(first.code, 0, first.stderr)
      const place = isConnection
        ? 'connections/shop/secrets/credentials.refresh_token'
        : 'secrets/credentials.refresh_token'
      const before = token
      assert.equal(await readFile(join(cwd, place), 'utf8'), `rt-s3cret-${before}\n`)
      assert.match(first.stderr, /The API replaced `credentials\.refresh_token`\. The new value is in secrets\//)
      const saved = await readFile(join(cwd, file), 'utf8')
      assert.match(saved, /"client_secret": ?"\$\{CS\}"/)
      assert.match(saved, /"?refresh_token"?: ?"?file:secrets\/credentials\.refresh_token"?/)
      assert.ok(!saved.includes('rt-s3cret') && !saved.includes('cs-s3cret'))
      if (isConnection) assert.ok(saved.startsWith('# Ours.\n') && !saved.includes('s3cret'), saved)

      revoked = before
      const second = await run()
      assert.equal(second.code, 0, second.stderr)
      assert.ok(token > before)
      assert.equal(await readFile(join(cwd, place), 'utf8'), `rt-s3cret-${token}\n`)
      assert.ok(!`${first.stderr}${second.stderr}`.includes('s3cret'))
    })
  }
})
