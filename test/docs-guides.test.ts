/** Get started and the guides: every command, manifest and class on these pages is run. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { answerLab } from '../src/lab/answer.ts'
import { loadManifest, readRecords } from '../src/index.ts'
import { type Ran, runCli } from './cli/run-cli.ts'
import { connectionKeys } from '../src/connections/connection.ts'
import { scheduleKeys } from '../src/connections/schedule.ts'
import { connectorFolder } from './helpers/connector-folder.ts'
import { blocksIn, page, programOf, rowsIn, runMain, section } from './helpers/docs.ts'
import { sourceOf, streamOf } from './helpers/manifests.ts'
import { freshDatabase } from './helpers/postgres.ts'
import { type Handler, serveApi } from './helpers/serve-api.ts'

const exampleUrl = 'https://api.example.com'

/** The complete manifest of a page, reading from a server of the test. */
function manifestIn(name: string, url: string): string {
  const found = blocksIn(page(name), 'yaml').find((yaml) => yaml.includes('\nversion: '))
  assert.ok(found, `docs/${name}.md has no complete manifest`)
  return found.replace(exampleUrl, url)
}

async function recordsOf(text: string, folder: string): Promise<object[]> {
  const found: object[] = []
  for await (const record of readRecords(loadManifest(text, { folder }), { prefetch: 'off' })) found.push(record)
  return found
}

const answer =
  (token: string): Handler =>
  (query, asked) => {
    if (asked.headers.authorization !== `Bearer ${token}`) return { status: 401, json: { message: 'no token' } }
    const { status, headers, body } = answerLab({ ...asked, query, path: '/cursor', headers: {} })
    return { status, headers, text: body }
  }

/** Text by path. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [relative(folder, path), await readFile(path, 'utf8')] as const)),
  )
}

test('docs/get-started.md: from a URL and a token to Postgres, every command as it is shown', async () => {
  await using api = await serveApi({ 'GET /v1/orders': answer('the-token-of-your-api') })
  await using database = await freshDatabase()
  await using home = await connectorFolder({})
  const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
  // The package is not installed from a registry, and `npx` runs what is built here.
  await mkdir(join(home.folder, 'bin'))
  await writeFile(join(home.folder, 'bin/npm'), '#!/bin/sh\n', { mode: 0o755 })
  await writeFile(join(home.folder, 'bin/npx'), `#!/bin/sh\nshift\nexec "${process.execPath}" "${main}" "$@"\n`, {
    mode: 0o755,
  })
  const { username, password, host, pathname, search } = new URL(database.url)
  const here = (text: string) =>
    text
      .replaceAll(exampleUrl, api.url)
      .replaceAll(
        /loader:(\$DB_PASSWORD|\$\{DB_PASSWORD\})@localhost:5432\/shop/g,
        `${username}:$1@${host}${pathname}${search}`,
      )
      .replaceAll("DB_PASSWORD='secret'", `DB_PASSWORD='${decodeURIComponent(password) || 'secret'}'`)
      .replaceAll('/usr/local/bin', join(home.folder, 'bin'))
  const env = { HOME: home.folder, PATH: `${join(home.folder, 'bin')}:/usr/bin:/bin` }
  const text = page('get-started')

  const script = blocksIn(text, 'sh').join('\n')
  const ran = await promisify(execFile)('bash', ['-ec', here(script)], { env })
  const [, shown = ''] = /^```\n(stream .*?)^```$/ms.exec(text) ?? []
  assert.ok(ran.stderr.includes(shown), ran.stderr)
  assert.match(ran.stdout, /^API +ok$/m)
  assert.match(ran.stdout, /\n +1 .* 1\n +2 .* 1\n +3 .* 1\n$/)
  const written = await filesIn(join(home.folder, 'shop'))
  assert.deepEqual(
    Object.keys(written).filter((path) => written[path]?.includes('the-token-of-your-api')),
    ['secrets.env'],
  )
  assert.match(written['connections/shop/connection.yaml'] ?? '', /api_token: \$\{API_TOKEN\}/)

  const [line = ''] = blocksIn(text, 'cron')
  const command = /^0 (?:\* ){4}(.*)\n$/.exec(line)?.[1] ?? ''
  await promisify(execFile)('sh', ['-c', here(command)], { env: { HOME: home.folder, PATH: '/usr/bin:/bin' } })
  assert.match(await readFile(join(home.folder, 'shop/sync.log'), 'utf8'), /250 records of 1 stream/)
  assert.deepEqual(await database.query('select count(*)::int as rows from orders'), [{ rows: 250 }])
})

test('docs/incremental.md: the second run requests what the page shows', async () => {
  await using api = await serveApi({
    'GET /orders': (query) => ({
      json: { data: String(query.get('updated_since')) < '2026-02-01' ? [] : [{ id: 7, updated_at: '2026-02-14' }] },
    }),
  })
  await using own = await connectorFolder({ 'orders.yaml': manifestIn('incremental', api.url) })
  const [, command = ''] = /^\$ npx turnleaf (sync .*)$/m.exec(page('incremental')) ?? []
  for (let run = 1; run <= 2; run++) {
    const { code, stderr } = await runCli(command.split(' '), { cwd: own.folder })
    assert.equal(code, 0, stderr)
  }
  const shown = page('incremental').match(/^GET .*$/gm)
  assert.deepEqual(api.asked.slice(0, 2).toSorted().concat(api.asked.slice(2)), shown)
})

test('docs/secrets.md: its manifest reads with the config that the shell writes, and with its program', async () => {
  const json = { data: [{ id: 7 }] }
  await using api = await serveApi({
    'GET /orders': (_, { headers }) => (headers.authorization === 'Bearer k' ? { json } : { status: 401 }),
  })
  const [code = ''] = blocksIn(page('secrets'), 'ts')
  await using own = await connectorFolder({
    'shop.yaml': manifestIn('secrets', api.url),
    'main.mjs': await programOf(code),
  })
  const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
  const commands = blocksIn(page('secrets'), 'sh')
  assert.equal(commands.length, 2)
  for (const command of commands) {
    const script = `npx() { "${process.execPath}" "${main}" "\${@:2}"; }\nrm -f orders.jsonl\n${command}`
    await promisify(execFile)('bash', ['-ec', script], { cwd: own.folder, env: { ...process.env, API_TOKEN: 'k' } })
    assert.match(await readFile(join(own.folder, 'orders.jsonl'), 'utf8'), /"data":\{"id":7\}/)
  }
  process.env['API_TOKEN'] = 'k'
  assert.equal(await runMain(own.folder), '{ id: 7 }\n')
})

test('docs/connections.md: its commands write the file that it shows, and it syncs', async () => {
  const json = { data: [{ id: 7 }], total: 1 }
  await using api = await serveApi({
    '*': (_, { headers }) => (headers.authorization === 'Bearer k' ? { json } : { status: 401 }),
  })
  const text = page('connections')
  const requester = { authenticator: { type: 'BearerAuthenticator', api_token: "{{ config['api_token'] }}" } }
  const streams = ['orders', 'customers', 'others'].map((name) => streamOf({ name, url: api.url, requester }))
  await using own = await connectorFolder({
    'connectors/shop/manifest.yaml': JSON.stringify(sourceOf(streams)),
    'config.yaml': 'api_token: ${SHOP_TOKEN}\nstart_date: "2024-01-01"\n',
  })
  const [shown = ''] = blocksIn(text, 'yaml')
  const env = { SHOP_TOKEN: 'k', TURNLEAF_HOME: own.folder }
  const commands = (blocksIn(text, 'sh')[0] ?? '').trim().split('\n')
  assert.equal(commands.length, 3)
  const ran: Ran[] = []
  for (const command of commands) ran.push(await runCli(command.split(' ').slice(2), { cwd: own.folder, env }))
  for (const { code, stderr } of ran) assert.equal(code, 0, stderr)
  assert.equal(await readFile(join(own.folder, 'connections/shop/connection.yaml'), 'utf8'), shown)
  const [, checks = ''] = /^```\n(references .*?)^```$/ms.exec(text) ?? []
  assert.equal(ran[1]?.stdout, checks)
  assert.match(String(ran[2]?.stderr), /^2 records of 2 streams written to duckdb:shop\.duckdb\.$/m)
  const [, listed = ''] = /^\$ npx turnleaf connection list\n(.*?)^```$/ms.exec(text) ?? []
  assert.equal((await runCli(['connection', 'list'], { cwd: own.folder, env })).stdout, listed)
})

test('docs/connections.md has every key of the file', () => {
  const names = rowsIn(section('connections', 'Keys')).flatMap(([name]) => name?.match(/(?<=`)\w+(?=`)/g) ?? [])
  assert.deepEqual(names, connectionKeys)
})

test('docs/schedules.md: its commands list what it shows, and its keys are those of the file', async () => {
  const text = page('schedules')
  await using own = await connectorFolder({ 'connections/shop/connection.yaml': 'connector: shop\n' })
  const [add = '', list = ''] = (blocksIn(text, 'sh')[0] ?? '').split('\n')
  const run = (command: string) => runCli(command.split(' ').slice(2), { cwd: own.folder })
  assert.equal((await run(add)).code, 0)
  const [, shown = ''] = /^```\n(connection .*?)^```$/ms.exec(text) ?? []
  assert.equal((await run(list)).stdout, shown)
  const names = [...text.slice(0, text.indexOf('## ')).matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  assert.deepEqual(names, scheduleKeys)
})

test('docs/lists-of-strings.md: its class makes a record of each string', async () => {
  const [json = ''] = blocksIn(page('lists-of-strings'), 'json')
  await using api = await serveApi({
    'GET /tags': () => ({ text: json, headers: { 'content-type': 'application/json' } }),
  })
  const [code = ''] = blocksIn(page('lists-of-strings'), 'ts')
  await using own = await connectorFolder({ 'source_tags/components.ts': code })
  const shown = [...page('lists-of-strings').matchAll(/^\{"name".*$/gm)].map(([line]) => JSON.parse(line) as object)
  assert.deepEqual(await recordsOf(manifestIn('lists-of-strings', api.url), own.folder), shown)
})

test('docs/child-streams.md: its manifest sends the requests and makes the records that are shown', async () => {
  const shown = [...page('child-streams').matchAll(/^\{"id".*$/gm)].map(([line]) => JSON.parse(line) as Event)
  const eventsOf = (customer: number): Handler => {
    const data = shown.filter((event) => event.customer_id === customer).map(({ id, kind }) => ({ id, kind }))
    return () => ({ json: { data } })
  }
  await using api = await serveApi({
    'GET /customers': () => ({ json: { data: [{ id: 7 }, { id: 8 }] } }),
    'GET /customers/7/events': eventsOf(7),
    'GET /customers/8/events': eventsOf(8),
  })
  const manifest = loadManifest(manifestIn('child-streams', api.url))
  const found: object[] = []
  for await (const record of readRecords(manifest, { stream: 'events', prefetch: 'off', concurrency: 1 }))
    found.push(record)
  assert.deepEqual(found, shown)
  const requests = [...page('child-streams').matchAll(/^GET .*$/gm)].map(([line]) => line)
  assert.deepEqual(api.asked, requests)
})

type Event = { readonly id: number; readonly kind: string; readonly customer_id: number }

test('docs/past-the-end.md: the refused page ends the read', async () => {
  const refusal = JSON.parse(/^404 (.*)$/m.exec(page('past-the-end'))?.[1] ?? '') as object
  await using api = await serveApi({
    'GET /orders': (query) => {
      const from = (Number(query.get('page') ?? 1) - 1) * 2 + 1
      return from > 4 ? { status: 404, json: refusal } : { json: { data: [{ id: from }, { id: from + 1 }] } }
    },
  })
  const found = await recordsOf(manifestIn('past-the-end', api.url), '.')
  assert.deepEqual(found, [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }])
  const [refused = ''] = /^GET .*$/m.exec(page('past-the-end')) ?? []
  assert.equal(api.asked.at(-1), refused)
})

test('docs/README.md leads to every page', async () => {
  const links = new Set([...page('README').matchAll(/\]\((?:decisions\/)?([\w-]+\.md)/g)].map(([, file]) => file))
  const files = (await readdir('docs')).filter((file) => file.endsWith('.md') && file !== 'README.md')
  assert.deepEqual(
    files.filter((file) => !links.has(file)),
    [],
  )
  for (const heading of ['Get started', 'Guides', 'Reference', 'How it works']) section('README', heading)
})
