import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { serveApi } from '../helpers/serve-api.ts'
import { recordsIn, runCli, runProcess, said, startCli } from './run-cli.ts'
import { tempFolder } from './shop.ts'

const all = [1, 2, 3, 4, 5].map((id) => ({ id }))

const listOf = (parameters: readonly object[] = []) => ({
  get: {
    parameters,
    responses: {
      200: {
        description: 'ok',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: {
                data: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
              },
            },
          },
        },
      },
    },
  },
})

const described = (url: string) => ({
  openapi: '3.0.0',
  info: { title: 'My Shop', version: '1' },
  servers: [{ url }],
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  security: [{ token: [] }],
  paths: {
    '/orders': listOf([{ name: 'page', in: 'query', schema: { type: 'integer' } }]),
    '/customers': listOf(),
  },
})

async function serveShop() {
  const api = await serveApi({
    'GET /orders': (query) => {
      const page = Number(query.get('page') ?? 1)
      return { json: { data: all.slice((page - 1) * 2, page * 2), total: 5 } }
    },
    'GET /openapi.json': () => ({ json: described(api.url) }),
    'GET /moved': () => ({ status: 302, headers: { location: '/openapi.json' } }),
    'GET /html': () => ({ headers: { 'content-type': 'text/html' }, text: '<html>Sign in</html>' }),
  })
  return api
}

describe('turnleaf import', { concurrency: 4 }, () => {
  test('writes a folder that validates and reads every page', async () => {
    await using api = await serveShop()
    await using files = await tempFolder()
    const ran = await runCli(['import', 'openapi', `${api.url}/moved`], { cwd: files.folder })
    assert.deepEqual([ran.code, ran.stdout], [0, ''], ran.stderr)
    assert.match(ran.stderr, /^My Shop: 2 streams of http:/m)
    assert.match(
      ran.stderr,
      /orders +GET \/orders +data +Page number from 1 in the query parameter page \(not confirmed\)/,
    )
    assert.deepEqual((await readdir(join(files.folder, 'my-shop'))).toSorted(), ['README.md', 'manifest.yaml'])
    assert.equal((await runCli(['validate', 'my-shop'], { cwd: files.folder })).code, 0)
    assert.doesNotMatch(ran.stderr, /\n\n\n/)
    const config = await files.write('config.json', { api_token: 't' })
    const [, ...keep] = /^ {2}keep {3}npx (turnleaf .*)$/m.exec(ran.stderr)?.[1]?.split(' ') ?? []
    const kept = await runCli(keep, { cwd: files.folder })
    assert.equal(kept.code, 0, kept.stderr)
    const read = await runCli(['read', '--manifest-path', 'my-shop', '--config', config, '--stream', 'orders'], {
      cwd: files.folder,
    })
    assert.deepEqual(recordsIn(read), all, read.stderr)
  })

  test('Ctrl-C ends the wait for standard input', { timeout: 60_000 }, async () => {
    await using started = startCli(['import', 'openapi', '-'])
    const { child, ended } = started
    // More than a pipe holds: all of it is written once the command reads.
    await new Promise((resolve) => child.stdin.write(' '.repeat(2 ** 20), resolve))
    child.kill('SIGINT')
    const [ending, stderr] = await Promise.all([ended, text(child.stderr)])
    assert.deepEqual([ending, stderr], ['SIGINT', 'Interrupted: nothing was written.\n'])
  })

  test('--list writes nothing; --only, --except and --json', async () => {
    await using api = await serveShop()
    await using files = await tempFolder()
    const file = await files.write('openapi.json', described(api.url))
    const listed = await runCli(['import', 'openapi', file, '--list'], { cwd: files.folder })
    assert.deepEqual([listed.code, listed.stdout.trim().split('\n').length], [0, 3], listed.stderr)
    const json = await runCli(['import', 'openapi', file, '--except', 'cust*', '--json', '--to', 'a/b'], {
      cwd: files.folder,
    })
    const report = JSON.parse(json.stdout) as { folder: string; leftOut: number; streams: { name: string }[] }
    assert.deepEqual([report.folder, report.leftOut, report.streams.map(({ name }) => name)], ['a/b', 1, ['orders']])
    assert.deepEqual((await readdir(files.folder)).toSorted(), ['a', 'openapi.json'])
    assert.deepEqual(await readdir(join(files.folder, 'a')), ['b'])
    const wrong = await runCli(['import', 'openapi', file, '--only', 'ordres'], { cwd: files.folder })
    assert.equal(wrong.code, 2)
    assert.match(wrong.stderr, /import\/unknown-stream[\s\S]*Did you mean `orders`/)
  })

  test('an existing connector is kept without --force; with it, other files stay', async () => {
    await using api = await serveShop()
    await using files = await tempFolder()
    const file = await files.write('openapi.json', described(api.url))
    await files.write('shop/manifest.yaml', 'mine')
    await files.write('shop/components/own.ts', 'mine')
    const refused = await runCli(['import', 'openapi', file, '--to', 'shop'], { cwd: files.folder })
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, /import\/exists: shop\/manifest\.yaml already exists/)
    assert.equal(await readFile(join(files.folder, 'shop/manifest.yaml'), 'utf8'), 'mine')
    assert.equal((await runCli(['import', 'openapi', file, '--to', 'shop', '--force'], { cwd: files.folder })).code, 0)
    assert.match(await readFile(join(files.folder, 'shop/manifest.yaml'), 'utf8'), /name: orders/)
    assert.equal(await readFile(join(files.folder, 'shop/components/own.ts'), 'utf8'), 'mine')
  })

  test('--confirm asks the API with the config, within --max-requests', async () => {
    await using api = await serveShop()
    await using files = await tempFolder()
    const config = await files.write('config.yaml', 'api_token: ${SHOP_TOKEN}')
    const args = [
      'import',
      'openapi',
      `${api.url}/openapi.json`,
      '--only',
      'orders',
      '--config',
      config,
      '--confirm',
      '--max-requests',
      '12',
      '--json',
    ]
    const ran = await runCli(args, { cwd: files.folder, env: { SHOP_TOKEN: 'token-4711' } })
    assert.equal(ran.code, 0, ran.stderr)
    const { streams } = JSON.parse(ran.stdout) as { streams: { pagination: { status: string } }[] }
    assert.equal(streams[0]?.pagination.status, 'confirmed')
    assert.ok(api.asked.filter((line) => line.includes('/orders')).length <= 12)
    assert.ok(api.requests.some(({ headers }) => headers.authorization === 'Bearer token-4711'))
    const written = await readFile(join(files.folder, 'my-shop/manifest.yaml'), 'utf8')
    assert.ok(!(written + ran.stdout + ran.stderr).includes('token-4711'))
  })

  test('bad input in words, with nothing written', async () => {
    await using api = await serveShop()
    await using files = await tempFolder()
    const folder = await files.write('folder/x', '')
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [['openapi', 'missing.json'], /cli\/file: Cannot read the description missing\.json: it does not exist/],
      [['openapi', join(folder, '..')], /it is a folder/],
      [['openapi', `${api.url}/html`], /import\/not-openapi/],
      [['openapi', `${api.url}/nope`], /import\/not-found: .* responds with the status 404/],
      [['openapi', 'http://user:pass-word-1@127.0.0.1/x'], /The address holds a password/],
      [['openapi', 'http://169.254.169.254/latest'], /response\/address-refused/],
      [['har', join(files.folder, 'folder/x')], /import\/unreadable: The description is empty/],
      [['postman', 'x', '--max-requests', '3'], /--confirm, which is missing/],
      [['openapi', 'x', '--list', '--confirm'], /leave --confirm out/],
    ]
    for (const [args, words] of cases) {
      const ran = await runCli(['import', ...args], { cwd: files.folder })
      assert.notEqual(ran.code, 0)
      assert.match(ran.stderr, words)
      assert.doesNotMatch(ran.stderr, /pass-word-1/)
    }
    assert.deepEqual(await readdir(files.folder), ['folder'])
  })

  test('- reads standard input', async () => {
    await using files = await tempFolder()
    const ran = await runProcess(['import', 'openapi', '-', '--list'], {
      input: JSON.stringify(described('https://x.example')),
      cwd: files.folder,
    })
    assert.equal(ran.code, 0, ran.stderr)
    assert.match(ran.stdout, /^orders /m)
  })

  test("the API's own description makes a connector that reads the API; the site's imports", async () => {
    await using home = await tempFolder()
    await mkdir(join(home.folder, 'connectors', 'one'), { recursive: true })
    await writeFile(
      join(home.folder, 'connectors', 'one', 'manifest.yaml'),
      await readFile('connectors/lab/manifest.yaml', 'utf8'),
    )
    await using served = startCli(['serve', '--no-read', '--site-port', '0', '--api-port', '0', '--lab-port', '0'], {
      env: { TURNLEAF_HOME: home.folder },
    })
    const words = await said(served.child.stderr, 'Try in another terminal')
    const address = (name: string) => new RegExp(`^${name} +(http://\\S+)`, 'm').exec(words)?.[1] ?? assert.fail(words)
    await using files = await tempFolder()
    const own = await runCli(['import', 'openapi', `${address('API')}/openapi.json`, '--to', 'own'], {
      cwd: files.folder,
    })
    assert.equal(own.code, 0, own.stderr)
    const read = await runCli(['read', '--manifest-path', 'own', '--stream', 'connectors'], { cwd: files.folder })
    assert.deepEqual(
      recordsIn(read).map((record) => (record as { name: string }).name),
      ['one'],
      read.stderr,
    )
    const site = await runCli(['import', 'openapi', `${address('site')}/openapi.json`, '--to', 'site'], {
      cwd: files.folder,
    })
    assert.equal(site.code, 0, site.stderr)
    const catalog = await runCli(['read', '--manifest-path', 'site', '--stream', 'api_catalog'], { cwd: files.folder })
    assert.ok(recordsIn(catalog).length > 0, catalog.stderr)
  })

  test('says what was left out only where something was, and how to sync', async () => {
    await using files = await tempFolder()
    const shop = described('https://api.example.com')
    await files.write('shop.json', shop)
    const login = { post: { responses: { 204: { description: 'ok' } } } }
    await files.write('more.json', { ...shop, paths: { ...shop.paths, '/login': login } })
    const run = (file: string, ...args: string[]) =>
      runCli(['import', 'openapi', file, '--to', file.replace('.json', ''), ...args], { cwd: files.folder })
    const whole = await run('shop.json')
    assert.equal(whole.code, 0, whole.stderr)
    assert.doesNotMatch(whole.stderr, /left out/i)
    assert.match(
      whole.stderr,
      /^ {2}sync {3}npx turnleaf sync --manifest-path shop\/manifest\.yaml --config config\.json$/m,
    )
    const config = await files.write('my config.yaml', 'api_token: ${SHOP_TOKEN}')
    const withConfig = await run('shop.json', '--force', '--config', 'my config.yaml')
    assert.doesNotMatch(withConfig.stderr, /config\.json/)
    assert.match(withConfig.stderr, /^Wrote shop\. my config\.yaml needs api_token\.$/m)
    for (const command of [
      'read --manifest-path shop/manifest.yaml',
      'sync --manifest-path shop/manifest.yaml',
      'connection add my-shop --connector ./shop',
    ])
      assert.ok(withConfig.stderr.includes(`npx turnleaf ${command} --config 'my config.yaml'`), withConfig.stderr)
    const added = ['connection', 'add', 'my-shop', '--connector', './shop', '--config', config]
    assert.equal((await runCli(added, { cwd: files.folder })).code, 0)
    const part = await run('more.json', '--only', 'orders')
    assert.match(part.stderr, /^Left out: 1 operation that gives no list, and 1 list that you did not choose\.$/m)
  })
})
