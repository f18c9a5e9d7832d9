import assert from 'node:assert/strict'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parseXml } from '../../src/engine/response/formats/xml.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { runCli, startCli } from './run-cli.ts'
import { manifestOf, ordersFrom, stream, tempFolder } from './shop.ts'

const secret = 'k3y-of-the-shop'

async function shop(url: string, names: readonly string[] = ['orders']) {
  const files = await tempFolder()
  const requester = { request_headers: { 'X-Api-Key': "{{ config['api_key'] }}" } }
  const streams = names.map((name) => stream(url, { name, path: `/${name}`, requester }))
  const path = await files.write('shop/manifest.json', manifestOf(streams))
  const config = await files.write('config.json', { api_key: secret })
  const given = ['--manifest-path', path, '--config', config]
  const recordings = join(files.folder, 'shop/recordings')
  return { ...files, path, given, recordings }
}

describe('turnleaf record and turnleaf test', { concurrency: 4 }, () => {
  test('record, then test in the folder above: passes without the API, fails after an edit', async () => {
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
    await using own = await shop(api.url)
    const recorded = await runCli(['record', ...own.given, '--no-survey'])
    assert.deepEqual([recorded.code, recorded.stderr], [0, `  test  npx turnleaf test ${own.path}\n`])
    assert.match(recorded.stdout, /^recorded orders: 3 requests, 5 records → .*orders\.json\n$/)
    assert.ok(!(await readFile(join(own.recordings, 'orders.json'), 'utf8')).includes(secret))
    const asked = api.asked.length

    const passed = await runCli(['test'], { cwd: own.folder })
    assert.deepEqual(passed, {
      code: 0,
      stdout: 'passed  shop › orders  3 requests, 5 records\n',
      stderr: '1 test: 1 passed, 0 failed.\n',
    })
    assert.equal(api.asked.length, asked)

    await writeFile(
      own.path,
      (await readFile(own.path, 'utf8')).replace('"field_name":"offset"', '"field_name":"skip"'),
    )
    const failed = await runCli(['test', 'shop'], { cwd: own.folder })
    assert.equal(failed.code, 1)
    assert.match(
      failed.stdout,
      /^failed {2}shop › orders\n {2}requests: Request 2 is not in the recording: GET .*skip=2\.\n/,
    )
    assert.match(failed.stdout, /\n {4}- query offset: 2\n {4}\+ query skip: 2\n/)

    const updated = await runCli(['test', 'shop', '--update'], { cwd: own.folder })
    assert.deepEqual([updated.code, updated.stderr], [0, '1 test: 0 passed, 0 failed, 1 updated.\n'])
    assert.equal((await runCli(['test', 'shop'], { cwd: own.folder })).code, 0)
  })

  test('reporters: TAP and JUnit, to standard output or a file', async () => {
    await using api = await serveApi({ '*': (query) => ordersFrom(query) })
    await using own = await shop(api.url, ['orders', 'a&b <"c"> #1'])
    assert.equal((await runCli(['record', ...own.given, '--no-survey'])).code, 0)
    await writeFile(own.path, (await readFile(own.path, 'utf8')).replace('"path":"/orders"', '"path":"/order"'))
    const tap = await runCli(['test', '--reporter', 'tap'], { cwd: own.folder })
    assert.equal(tap.code, 1)
    const [version, plan, first, second, ...details] = tap.stdout.split('\n')
    assert.deepEqual([version, plan], ['TAP version 13', '1..2'])
    assert.equal(first, 'ok 1 - shop - a&b <"c"> \\#1')
    assert.equal(second, 'not ok 2 - shop - orders')
    assert.match(details.join('\n'), /^# requests: Request 1 is not in the recording/)

    const junit = await runCli(['test', '--reporter', 'junit', '--output', 'results.xml'], { cwd: own.folder })
    assert.deepEqual([junit.code, junit.stdout], [1, ''])
    const xml = await readFile(join(own.folder, 'results.xml'), 'utf8')
    type Suite = { '@tests': string; '@failures': string; testcase: Record<string, unknown>[] }
    const { testsuite } = parseXml(xml).testsuites as { testsuite: Suite }
    assert.deepEqual([testsuite['@tests'], testsuite['@failures']], ['2', '1'])
    assert.deepEqual(
      testsuite.testcase.map((one) => [one['@name'], 'failure' in one]),
      [
        ['a&b <"c"> #1', false],
        ['orders', true],
      ],
    )
    const lost = await runCli(['test', '--reporter', 'junit', '--output', 'no/where.xml'], { cwd: own.folder })
    assert.equal(lost.code, 2)
  })

  test('nothing to test, no such stream, a broken file, wrong arguments: 2', async () => {
    await using api = await serveApi({ '*': (query) => ordersFrom(query) })
    await using own = await shop(api.url)
    const cwd = own.folder
    for (const [args, words] of [
      [['test'], /recordings\/none: There is no connector with recordings in the current folder\./],
      [['test', '.'], /recordings\/none: There is no connector with recordings in the current folder\./],
      [['test', 'shop'], /recordings\/none: The connector in .* has no recordings\.\n {2}try {2}Record/],
      [['test', 'nowhere'], /cli\/file: There is no nowhere/],
      [['test', '--reporter', 'xml'], /cli\/arguments/],
      [['record'], /cli\/arguments: Name a connection, or a manifest/],
      [['record', '--manifest-path', '-'], /has no folder for recordings/],
      [['record', ...own.given, '--stream', 'ordes'], /manifest\/unknown-stream.*\n.*\n?.*Did you mean "orders"/],
      [['record', ...own.given, '--max-pages', '0'], /cli\/arguments/],
    ] as const) {
      const ran = await runCli(args, { cwd })
      assert.equal(ran.code, 2, `${args.join(' ')}: ${ran.stderr}`)
      assert.match(ran.stderr, words)
    }
    assert.equal((await runCli(['record', ...own.given, '--no-survey'])).code, 0)
    assert.match((await runCli(['test', '--stream', 'items'], { cwd })).stderr, /no recording of stream "items"/)
    await writeFile(join(own.recordings, 'orders.json'), '{"format": 1, "stream": 3}')
    const broken = await runCli(['test'], { cwd })
    assert.equal(broken.code, 2)
    assert.match(broken.stderr, /recordings\/invalid: .*\/stream must be a string, and is `3`/)
  })

  test('an API that refuses, and a response that is too large: 1, with the reason and the other streams', async () => {
    let sent = 0
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    await using api = await serveApi({
      'GET /orders': (query) => ordersFrom(query),
      'GET /closed': () => ({ status: 403, json: { message: `no access with ${secret}` } }),
      // 200 MB, if they are taken.
      'GET /huge': () => ({
        raw(response) {
          response.writeHead(200, { 'content-type': 'application/json' })
          const more = () => {
            while (sent < 200 && !response.destroyed) {
              sent++
              if (!response.write(chunk)) return void response.once('drain', more)
            }
            response.end()
          }
          more()
        },
      }),
    })
    await using own = await shop(api.url, ['closed', 'huge', 'orders'])
    const ran = await runCli(['record', ...own.given, '--no-survey'])
    assert.equal(ran.code, 1)
    assert.match(ran.stderr, /not recorded closed\nresponse\/rejected/)
    assert.match(ran.stderr, /not recorded huge\nrecordings\/too-large: .*larger than the limit of 8388608 bytes/)
    assert.ok(!ran.stderr.includes(secret))
    assert.ok(sent < 100, `${sent} MB were sent`)
    assert.match(ran.stdout, /^recorded orders/)
    assert.deepEqual(await readdir(own.recordings), ['orders.json'])
  })

  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    test(`${signal} while recording leaves the earlier recording whole`, async () => {
      let isSlow = false
      let arrived = () => {}
      const second = new Promise<void>((resolve) => (arrived = resolve))
      await using api = await serveApi({
        'GET /orders': (query) => {
          if (isSlow && query.has('offset')) return { raw: () => arrived() }
          return ordersFrom(query)
        },
      })
      await using own = await shop(api.url)
      assert.equal((await runCli(['record', ...own.given, '--no-survey'])).code, 0)
      const path = join(own.recordings, 'orders.json')
      const before = await readFile(path, 'utf8')
      isSlow = true
      await using started = startCli(['record', ...own.given, '--no-survey'])
      await second
      started.child.kill(signal)
      assert.equal(await started.ended, signal)
      assert.equal(await readFile(path, 'utf8'), before)
      assert.deepEqual(await readdir(own.recordings), ['orders.json'])
      assert.equal((await runCli(['test', 'shop'], { cwd: own.folder })).code, 0)
    })
  }

  test('a connection is recorded into the folder of its connector', async () => {
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query) })
    await using own = await shop(api.url)
    const env = { TURNLEAF_HOME: join(own.folder, 'home'), SHOP_KEY: secret }
    const config = await own.write('own.yaml', 'api_key: ${SHOP_KEY}\n')
    const connector = join(own.folder, 'shop')
    const added = await runCli(['connection', 'add', 'shop', '--connector', connector, '--config', config], { env })
    assert.equal(added.code, 0, added.stderr)
    const ran = await runCli(['record', 'shop', '--stream', 'orders', '--max-pages', '2', '--no-survey'], { env })
    assert.match(ran.stdout, /^recorded orders: 2 requests, 4 records, without the last page/, ran.stderr)
    assert.ok((await stat(join(own.recordings, 'orders.json'))).isFile())
    assert.equal((await runCli(['test', connector])).code, 0)
  })
})
