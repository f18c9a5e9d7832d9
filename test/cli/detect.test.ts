import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Lab, startLab } from '../../src/lab/lab.ts'
import { loadManifest } from '../../src/index.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { runCli, said, startCli } from './run-cli.ts'
import { tempFolder } from './shop.ts'

describe('turnleaf detect', { concurrency: 4 }, () => {
  let lab: Lab
  before(async () => {
    lab = await startLab({ port: 0 })
  })
  after(() => lab[Symbol.asyncDispose]())

  test('the manifest alone goes to standard output, what people read to standard error', async () => {
    const ran = await runCli(['detect', `${lab.url}/page`])
    assert.equal(ran.code, 0, ran.stderr)
    assert.equal(loadManifest(ran.stdout).streams.length, 1)
    assert.match(ran.stderr, /^Page number from 1 in the query parameter page, 200 a page by per_page\.\n/)
    assert.match(ran.stderr, /^2 {3}GET \/page\?page=2&per_page=2 /m)
  })

  test('--write writes it, and leaves what is there alone', async () => {
    await using files = await tempFolder()
    const first = await runCli(['detect', `${lab.url}/link`, '--write', files.folder])
    assert.deepEqual([first.code, first.stdout], [0, ''], first.stderr)
    const path = join(files.folder, 'manifest.yaml')
    const text = await readFile(path, 'utf8')
    loadManifest(text)
    const second = await runCli(['detect', `${lab.url}/page`, '--write', path])
    assert.equal(second.code, 2)
    assert.match(second.stderr, /^cli\/file: .*\n {2}try {2}.*--force/)
    assert.equal(await readFile(path, 'utf8'), text)
    const third = await runCli(['detect', `${lab.url}/page`, '--write', path, '--force'])
    assert.equal(third.code, 0, third.stderr)
    assert.notEqual(await readFile(path, 'utf8'), text)
  })

  test('--write says which config the manifest needs', async () => {
    await using files = await tempFolder()
    const header = ['--header', 'X-Api-Key: leaf-key']
    const ran = await runCli(['detect', `${lab.url}/secure/key/page`, ...header, '--write', files.folder])
    assert.match(ran.stderr, / --config config\.json, where config\.json is \{"api_key": ?"…"\}\n$/)
  })

  test('--write into a folder that is not there is refused before the API is asked', async () => {
    await using api = await serveApi({})
    await using files = await tempFolder()
    const ran = await runCli(['detect', `${api.url}/x`, '--write', join(files.folder, 'none', 'x.yaml')])
    assert.equal(ran.code, 2)
    assert.match(ran.stderr, /^cli\/file: Cannot write .*x\.yaml: its folder does not exist\.\n/)
    assert.deepEqual(api.asked, [])
  })

  test('an interrupt ends it by the signal, whether it asks or waits to ask', async () => {
    await using files = await tempFolder()
    const path = join(files.folder, 'x.yaml')
    for (const answer of [
      () => new Promise<never>(() => {}),
      () => ({ status: 429, headers: { 'retry-after': '20' } }),
    ]) {
      await using api = await serveApi({ '*': answer })
      await using started = startCli(['detect', `${api.url}/x`, '--write', path])
      while (api.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
      started.child.kill('SIGINT')
      assert.equal(await said(started.child.stderr, 'written'), 'Interrupted: nothing was written.\n')
      assert.equal(await started.ended, 'SIGINT')
      await assert.rejects(readFile(path))
    }
  })

  test('--json prints the whole result, and --data may be a file', async () => {
    await using files = await tempFolder()
    const body = await files.write('body.json', { query: '{ records }' })
    const ran = await runCli(['detect', `${lab.url}/graphql`, '--data', `@${body}`, '--json'])
    assert.equal(ran.code, 0, ran.stderr)
    const { answer, candidates, probes, manifest } = JSON.parse(ran.stdout) as Record<string, unknown[]>
    assert.equal(answer, 'paginated')
    assert.equal(candidates?.length, 1)
    assert.ok((probes?.length ?? 99) <= 12)
    assert.equal(typeof manifest, 'string')
  })

  test('--data may be standard input', async () => {
    const given = { input: '{"query":"{ records }"}' }
    const ran = await runCli(['detect', `${lab.url}/graphql`, '--data', '@-'], given)
    assert.equal(ran.code, 0, ran.stderr)
  })

  test('--data without content is called empty', async () => {
    for (const data of [' ', '@-']) {
      const ran = await runCli(['detect', 'http://x.example/', '--data', data], { input: '' })
      assert.equal(ran.code, 2)
      assert.match(ran.stderr, /^cli\/arguments: --data is empty\./)
    }
  })

  test('a header takes its secret from the environment, and never shows it', async () => {
    const header = ['--header', 'Authorization: Bearer ${LAB_TOKEN}']
    const ran = await runCli(['detect', `${lab.url}/secure/bearer/offset`, ...header], {
      env: { LAB_TOKEN: 'leaf-token' },
    })
    assert.equal(ran.code, 0, ran.stderr)
    assert.ok(!(ran.stdout + ran.stderr).includes('leaf-token'))
    assert.match(ran.stdout, /airbyte_secret: true/)
    const without = await runCli(['detect', `${lab.url}/secure/bearer/offset`, ...header])
    assert.equal(without.code, 2)
    assert.match(without.stderr, /LAB_TOKEN/)
  })

  test('--form, --method and --max-requests say how and how often it asks', async () => {
    await using api = await serveApi({ 'POST /x': () => ({ json: [{ id: 1 }, { id: 2 }] }) })
    const ran = await runCli(['detect', `${api.url}/x`, '--form', 'q=a=b', '--method', 'POST', '--max-requests', '1'])
    assert.equal(ran.code, 1)
    assert.deepEqual(
      api.requests.map(({ body }) => body),
      ['q=a%3Db'],
    )
  })

  test('exits with 1 if the pagination is unknown, or the API refuses', async () => {
    await using api = await serveApi({ 'GET /empty': () => ({ json: { data: [] } }) })
    const empty = await runCli(['detect', `${api.url}/empty`])
    assert.deepEqual([empty.code, empty.stdout], [1, ''])
    const missing = await runCli(['detect', `${api.url}/missing`])
    assert.deepEqual([missing.code, missing.stdout], [1, ''])
    assert.match(missing.stderr, /^detection\/refused: /)
  })

  const wrong: readonly (readonly string[])[] = [
    ['detect'],
    ['detect', 'api.example.com/v1'],
    ['detect', 'http://x.example/', '--header', 'sEcret without a colon'],
    ['detect', 'http://x.example/', '--data', '{sEcret'],
    ['detect', 'http://x.example/', '--data', '{}', '--form', 'a=b'],
    ['detect', 'http://x.example/', '--form', 'sEcret'],
    ['detect', 'http://x.example/', '--method', 'GET', '--data', '{}'],
    ['detect', 'http://x.example/', '--method', 'PUT'],
    ['detect', 'http://x.example/', '--max-requests', '0'],
  ]
  for (const args of wrong) {
    test(`exits with 2 for ${args.slice(1).join(' ') || 'no address'}`, async () => {
      const ran = await runCli(args)
      assert.deepEqual([ran.code, ran.stdout], [2, ''])
      assert.match(ran.stderr, /^cli\/arguments: .*\n {2}try {2}/)
      assert.doesNotMatch(ran.stderr, /sEcret/)
    })
  }
})
