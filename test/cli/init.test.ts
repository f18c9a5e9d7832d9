import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { answerLab } from '../../src/lab/answer.ts'
import { type Handler, serveApi } from '../helpers/serve-api.ts'
import { runCli } from './run-cli.ts'
import { tempFolder } from './shop.ts'

const token = 'tok-5f2c9a7be1'

const guarded: Handler = (query, asked) => {
  if (asked.headers.authorization !== `Bearer ${token}`) return { status: 401, json: { message: 'no token' } }
  const { status, headers, body } = answerLab({ ...asked, query, path: '/offset', headers: {} })
  return { status, headers, text: body }
}

const rows = (home: string) => runCli(['query', 'select count(*) as rows from orders', '--json'], { cwd: home })

describe('init', { concurrency: 2 }, () => {
  test('a URL and a variable become connector, connection and table; a second run is refused', async () => {
    await using api = await serveApi({ 'GET /v1/orders': guarded })
    await using home = await tempFolder()
    const args = ['init', `${api.url}/v1/orders`, '--name', 'shop', '--header', 'Authorization: Bearer ${SHOP_TOKEN}']
    const given = { cwd: home.folder, env: { SHOP_TOKEN: token } }
    const first = await runCli(args, given)
    assert.equal(first.code, 0, first.stderr)
    assert.match(
      first.stderr,
      /\n {2}show {2}npx turnleaf query .*orders.*\n {2}then {2}npx turnleaf schedule add shop --every 1h/,
    )
    const connection = await readFile(join(home.folder, 'connections/shop/connection.yaml'), 'utf8')
    assert.equal(connection, 'connector: shop\nconfig:\n  api_token: ${SHOP_TOKEN}\n')
    assert.equal((await rows(home.folder)).stdout, '{"rows":250}\n')

    const asked = api.asked.length
    const second = await runCli(args, given)
    assert.equal(second.code, 2)
    assert.match(
      second.stderr,
      /connections\/exists: connections\/shop\/connection\.yaml already exists.*npx turnleaf sync shop/s,
    )
    assert.equal(api.asked.length, asked)
    const again = await runCli(['sync', 'shop'], given)
    assert.equal(again.code, 0, again.stderr)
  })

  test('where a path is expected, the name of the connector is answered with its path', async () => {
    await using api = await serveApi({ 'GET /v1/orders': guarded })
    await using home = await tempFolder()
    const header = `Authorization: Bearer ${token}`
    const made = await runCli(['init', `${api.url}/v1/orders`, '--name', 'shop', '--header', header, '--no-sync'], {
      cwd: home.folder,
    })
    assert.equal(made.code, 0, made.stderr)
    for (const args of [
      ['validate', 'shop'],
      ['test', 'shop'],
      ['plan', '--manifest-path', 'shop'],
      ['lab', '--survey', 'shop'],
    ]) {
      const { code, stderr } = await runCli(args, { cwd: home.folder })
      assert.equal(code, 2, args.join(' '))
      assert.equal(
        stderr,
        'cli/file: There is no shop in the current folder.\n  try  Did you mean connectors/shop?\n',
        args.join(' '),
      )
    }
    assert.equal((await runCli(['validate', 'connectors/shop'], { cwd: home.folder })).code, 0)
  })

  test('a list of strings: nothing is written, and the message names the guide', async () => {
    await using api = await serveApi({ 'GET /v1/tags': () => ({ json: { tags: ['blue', 'green'] } }) })
    await using home = await tempFolder()
    const { code, stderr } = await runCli(['init', `${api.url}/v1/tags`], { cwd: home.folder })
    assert.equal(code, 1)
    assert.match(stderr, /^At tags the response has a list of 2 strings\. .* see docs\/lists-of-strings\.md\.$/m)
    assert.match(stderr, /^Nothing was written\. Give the URL of a list of objects /m)
  })

  test('a token that is given as it is goes into a file of its own', async () => {
    await using api = await serveApi({ 'GET /v1/orders': guarded })
    await using home = await tempFolder()
    const args = ['init', `${api.url}/v1/orders`, '--header', `Authorization: Bearer ${token}`, '--no-sync']
    const { code, stderr, stdout } = await runCli(args, { cwd: home.folder })
    assert.equal(code, 0, stderr)
    const folder = join(home.folder, 'connections/orders')
    const connection = await readFile(join(folder, 'connection.yaml'), 'utf8')
    const [, path = ''] = /api_token: file:(.*)/.exec(connection) ?? []
    assert.equal((await readFile(join(folder, path), 'utf8')).trim(), token)
    assert.equal((await stat(join(folder, path))).mode & 0o077, 0)
    const manifest = await readFile(join(home.folder, 'connectors/orders/manifest.yaml'), 'utf8')
    for (const text of [connection, manifest, stderr, stdout]) assert.ok(!text.includes(token))
    assert.doesNotMatch((await runCli(['query', 'show tables'], { cwd: home.folder })).stdout, /orders/)
  })

  test('nothing is written where the API refuses, shows no pagination, or a variable is missing', async () => {
    await using api = await serveApi({
      'GET /v1/orders': guarded,
      'GET /v1/same': () => ({ json: Array.from({ length: 100 }, (_, id) => ({ id })) }),
    })
    await using home = await tempFolder()
    const run = (...args: string[]) => runCli(['init', ...args], { cwd: home.folder })
    const refused = await run(`${api.url}/v1/orders`)
    assert.equal(refused.code, 1)
    assert.match(
      refused.stderr,
      /detection\/unauthorized.*\n {2}try {2}Check the credential, .*--header 'Authorization: Bearer \$\{API_TOKEN\}'/,
    )
    const same = await run(`${api.url}/v1/same`)
    assert.equal(same.code, 1, same.stderr)
    assert.match(same.stderr, /Nothing was written/)
    assert.doesNotMatch(same.stderr, /turnleaf detect/, 'requests were left')
    const few = await run(`${api.url}/v1/same`, '--max-requests', '2', '--header', 'X-Key: hidden', '--method', 'GET')
    assert.match(few.stderr, /same --method GET --header 'X-Key: …' --max-requests 20$/m)
    assert.doesNotMatch(few.stderr, /hidden/)
    const missing = await run(`${api.url}/v1/orders`, '--header', 'Authorization: Bearer ${NO_SUCH_TOKEN}')
    assert.equal(missing.code, 2)
    assert.match(missing.stderr, /NO_SUCH_TOKEN, which is not set/)
    const unreachable = await run(`${api.url}/v1/orders`, '--to', 'nowhere:x')
    assert.equal(unreachable.code, 2)
    assert.match(unreachable.stderr, /destinations\/unknown/)
    const without = await run()
    assert.equal(without.code, 2)
    assert.match(without.stderr, /Name the URL/)
    for (const name of ['connectors', 'connections']) await assert.rejects(stat(join(home.folder, name)))
  })

  test('a name that no connection can have is refused before anything is requested or written', async () => {
    await using api = await serveApi({ 'GET /v1/orders': guarded })
    await using files = await tempFolder()
    const home = join(files.folder, 'inner/home')
    await mkdir(home, { recursive: true })
    for (const name of ['../../evil', '../evil', 'My Shop', '.']) {
      const { code, stderr } = await runCli(
        ['init', `${api.url}/v1/orders`, '--name', name, '--header', `Authorization: Bearer ${token}`],
        { cwd: home },
      )
      assert.equal(code, 2, stderr)
      assert.match(stderr, /^connections\/name: ".*" cannot be the name of a connection\.\n {2}try {2}Use lower-case/)
    }
    assert.deepEqual(api.asked, [])
    assert.deepEqual(await readdir(files.folder, { recursive: true }), ['inner', 'inner/home'])
  })

  test('a destination that does not open leaves connector and connection, and says how to continue', async () => {
    await using api = await serveApi({ 'GET /v1/orders': guarded })
    await using home = await tempFolder()
    const header = `Authorization: Bearer ${token}`
    const to = 'postgres://nobody@127.0.0.1:1/none'
    const args = ['init', `${api.url}/v1/orders`, '--name', 'shop', '--header', header, '--to', to]
    const { code, stderr } = await runCli(args, { cwd: home.folder })
    assert.notEqual(code, 0)
    assert.match(stderr, /are kept\. Correct connections\/shop\/connection\.yaml if .* npx turnleaf sync shop\n/)
    await stat(join(home.folder, 'connections/shop/connection.yaml'))
  })

  const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))
  const skip =
    spawnSync('script', ['--version']).status === 0 ? false : 'this machine has no `script` to make a terminal'

  /** What a person sees who answers the questions, in this order. */
  async function answering(
    args: string,
    answers: readonly (readonly [question: RegExp, answer: string])[],
    { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
  ): Promise<{ code: number; screen: string }> {
    const child = spawn('script', ['-qec', `${process.execPath} ${main} init ${args}`, '/dev/null'], {
      cwd,
      env: { ...process.env, TERM: 'xterm', NO_COLOR: '1', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    let screen = ''
    const left = [...answers]
    for await (const chunk of child.stdout) {
      screen += String(chunk)
      const next = left[0]
      if (next !== undefined && next[0].test(screen)) {
        child.stdin.write(`${next[1]}\r`)
        left.shift()
      }
    }
    child.stdin.end()
    const [code] = (await ended) as [number]
    return { code, screen }
  }

  test('on a terminal it asks: name, destination, and a token that is not shown', { skip }, async () => {
    await using api = await serveApi({ 'GET /v1/orders': guarded })
    await using home = await tempFolder()
    const { code, screen } = await answering(
      `${api.url}/v1/orders`,
      [
        [/Name of the connection \(orders\): /, 'mine'],
        [/Write to \(duckdb:turnleaf.duckdb\): /, ''],
        [/Token, sent as .*: /, token],
      ],
      { cwd: home.folder },
    )
    assert.equal(code, 0, screen)
    assert.ok(!screen.includes(token), screen)
    assert.equal((await rows(home.folder)).stdout, '{"rows":250}\n')
  })

  test('a password in TURNLEAF_TO is not shown, and the default answer has it', { skip }, async () => {
    await using api = await serveApi({ 'GET /v1/orders': guarded })
    await using home = await tempFolder()
    const address = 'postgres://me:s3cret@127.0.0.1:1/shop'
    const { screen } = await answering(
      `${api.url}/v1/orders --name shop --header 'Authorization: Bearer ${token}'`,
      [[/Write to \(.*\): /, '']],
      { cwd: home.folder, env: { TURNLEAF_TO: address } },
    )
    assert.ok(screen.includes('Write to (postgres://me:****@127.0.0.1:1/shop): '), screen)
    assert.ok(!screen.includes('s3cret'), screen)
    const folder = join(home.folder, 'connections/shop')
    const [, path = ''] =
      /^destination: file:(.*)$/m.exec(await readFile(join(folder, 'connection.yaml'), 'utf8')) ?? []
    assert.equal((await readFile(join(folder, path), 'utf8')).trim(), address)
  })
})
