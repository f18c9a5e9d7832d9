/** What the docs claim: their tables are those of the code, and their examples run. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as turnleaf from '../src/index.ts'
import { components } from '../src/engine/manifest/components.ts'
import { unsupportedTypesIn } from '../src/engine/manifest/supported.ts'
import { customRoleOf } from '../src/engine/manifest/custom-types.ts'
import { authentication } from '../src/engine/manifest/table/authentication.ts'
import { failures } from '../src/engine/manifest/table/failures.ts'
import { pagination } from '../src/engine/manifest/table/pagination.ts'
import { records } from '../src/engine/manifest/table/records.ts'
import { requests } from '../src/engine/manifest/table/requests.ts'
import { slicing } from '../src/engine/manifest/table/slicing.ts'
import { source } from '../src/engine/manifest/table/source.ts'
import { streams } from '../src/engine/manifest/table/streams.ts'
import { runCli } from './cli/run-cli.ts'
import { connectorFolder } from './helpers/connector-folder.ts'
import { holdPart, page, programOf, runMain } from './helpers/docs.ts'
import { manifestOf, option, sourceOf, streamOf } from './helpers/manifests.ts'
import { serveApi } from './helpers/serve-api.ts'

/** The TypeScript on a page that declares this class. */
function classIn(name: string, className: string): string {
  const blocks = [...page(name).matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => String(code))
  const found = blocks.find((code) => code.includes(`class ${className} `))
  assert.ok(found, `docs/${name}.md has no example with the class ${className}`)
  return found
}

const parts = {
  Source: source,
  Streams: streams,
  Requests: requests,
  Pagination: pagination,
  Authentication: authentication,
  'Errors and rate limits': failures,
  'Records and schemas': records,
  'Slices and cursors': slicing,
}

function componentTable(): string {
  const missing = new Set(unsupportedTypesIn(Object.keys(components).map((type) => ({ type }))))
  const code = (types: string[]) => types.map((type) => `\`${type}\``).join(', ')
  const rows = Object.entries(parts).map(([name, part]) => {
    const types = Object.keys(part)
    const lacking = types.filter((type) => missing.has(type))
    return `| ${name} | ${code(types.filter((type) => !missing.has(type)))} | ${code(lacking)} |\n`
  })
  return `| part | runs | does not run |\n| --- | --- | --- |\n${rows.join('')}`
}

test('docs/connectors.md lists the components that run (TURNLEAF_WRITE_DOCS=1 writes them)', () => {
  holdPart('connectors', 'components', componentTable())
  assert.deepEqual(new Set(Object.values(parts).flatMap(Object.keys)), new Set(Object.keys(components)))
})

test('docs/custom-classes.md has every role, with the base class that the package exports', () => {
  const rows = [...page('custom-classes').matchAll(/^\| `(Custom\w+)` \| `(\w+)` \|/gm)].map(
    ([, type, base]) => `${type} ${base}`,
  )
  const runs = Object.keys(components).filter((type) => unsupportedTypesIn({ type }).length === 0)
  const expected = runs.flatMap((type) => {
    const role = customRoleOf(type)
    return role === null ? [] : [{ type, base: role.base }]
  })
  assert.deepEqual(new Set(rows), new Set(expected.map(({ type, base }) => `${type} ${base}`)))
  assert.equal(rows.length, expected.length)
  const exported: Record<string, unknown> = turnleaf
  for (const { base } of expected) assert.equal(typeof exported[base], 'function', base)
})

/** Does not compile when an option is missing here; those with `false` are for the engine's own use. */
const options: Record<keyof Required<turnleaf.ReadOptions>, boolean> = {
  stream: true,
  config: true,
  state: true,
  onState: true,
  maxPages: true,
  prefetch: true,
  concurrency: true,
  from: true,
  slice: true,
  cursorField: true,
  chosenSchema: true,
  wantsFiles: false,
  sharedBudget: false,
  readAt: false,
  isShared: false,
  signal: true,
  limits: true,
  retry: true,
  egress: true,
  trustedOrigins: true,
  onConfig: true,
  onNotice: true,
  isNormalized: true,
  network: true,
  tokens: true,
  states: true,
  run: true,
  now: true,
  sleep: true,
  random: true,
}

test('docs/library.md has every option, and no other', () => {
  const [, section = ''] = /^## Options$(.*?)^## /ms.exec(page('library')) ?? []
  const rows = [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, names]) => String(names))
  const listed = [...rows, /^`now`.*$/m.exec(section)?.[0] ?? ''].flatMap((text) => text.match(/(?<=`)\w+(?=`)/g) ?? [])
  const expected = Object.entries(options).flatMap(([name, isPublic]) => (isPublic ? [name] : []))
  assert.deepEqual(new Set(listed), new Set(expected))
  assert.equal(listed.length, expected.length)
})

test('docs/library.md and docs/custom-classes.md have everything that a program can import', () => {
  const deprecated = ['mend']
  // Only extended by the base classes.
  const internal = ['CustomComponent']
  const words = new Set(`${page('library')}${page('custom-classes')}`.match(/\w+/g))
  const missing = Object.keys(turnleaf).filter((name) => !words.has(name))
  assert.deepEqual(missing.toSorted(), [...internal, ...deprecated])
})

test('docs/cli.md has every option of every command', async () => {
  const text = page('cli')
  const help = (await runCli(['--help'])).stdout
  const namesIn = (words: string) =>
    [...(/^(?:Start|Commands):$(.*?)(?=^Example|$(?![^]))/ms.exec(words)?.[1] ?? '').matchAll(/^ {2}([a-z]+)/gm)].map(
      ([, name]) => String(name),
    )
  const commands = namesIn(help)
  assert.ok(commands.length > 12)
  for (const command of commands) {
    assert.match(text, new RegExp(`^\\| (?:\\[\`${command}\`\\]\\(#${command}\\)|\`${command}\`) \\|`, 'm'))
    const { stdout } = await runCli(command === 'help' ? ['--help'] : [command, '--help'])
    const inner = stdout.includes('Commands:') && command !== 'help' ? namesIn(stdout) : []
    for (const name of inner.filter((one) => one !== 'help')) {
      assert.match(text, new RegExp(`^\\| \`${command} ${name}`, 'm'))
      const own = (await runCli([command, name, '--help'])).stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)
      const unsaid = [...own].map(([, flag]) => flag).filter((flag) => !text.includes(`\`${flag}`))
      assert.deepEqual(
        unsaid.filter((flag) => flag !== '--help'),
        [],
        `${command} ${name}`,
      )
    }
    const names = [...stdout.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => String(name))
    const missing = names.filter((name) => name !== '--help' && !text.includes(`\`${name}`))
    assert.deepEqual(missing, [], command)
  }
})

test('docs/connectors.md: what validate says of a connector that needs a class', async () => {
  const [, expected = ''] = /^\$ npx turnleaf validate source-shop\n(.*?)^```$/ms.exec(page('connectors')) ?? []
  const extractor = {
    type: 'CustomRecordExtractor',
    class_name: 'source_declarative_manifest.components.RowsExtractor',
  }
  const both = [streamOf({ name: 'orders' }), streamOf({ name: 'reports', selector: { extractor } })]
  await using own = await connectorFolder({ 'source-shop/manifest.yaml': JSON.stringify(sourceOf(both)) })
  const { code, stdout } = await runCli(['validate', 'source-shop'], { cwd: own.folder })
  assert.equal(code, 0)
  assert.equal(stdout, expected)
})

test('docs/custom-classes.md: the class of a public connector, written again', async () => {
  const className = 'AverageSessionLengthRecordExtractor'
  await using own = await connectorFolder({
    'source_declarative_manifest/components.ts': classIn('custom-classes', className),
  })
  await using api = await serveApi({
    'GET /items': () => ({ json: { data: { xValues: ['2024-01-01', '2024-01-02'], series: [[181.5, 90]] } } }),
  })
  const extractor = { type: 'CustomRecordExtractor', class_name: `source_declarative_manifest.components.${className}` }
  const manifest = manifestOf({ url: api.url, selector: { extractor } })
  assert.deepEqual(await recordsOf(manifest, own.folder), [
    { date: '2024-01-01', length: 181.5 },
    { date: '2024-01-02', length: 90 },
  ])
})

test('docs/custom-classes.md: its classes run', async () => {
  await using own = await connectorFolder({
    'source_shop/paging.ts': classIn('custom-classes', 'MonthByMonth'),
    'source_shop/auth.ts': classIn('custom-classes', 'ShopAuthenticator'),
  })
  await using api = await serveApi({
    'POST /token': (_, { body }) => ({ json: { token: `for ${body}` } }),
    'GET /items': (query, { headers }) => {
      const month = query.get('month') ?? '1'
      return { json: { data: [{ month, as: headers['x-shop-token'] }], ...(month === '1' && { next_month: '2' }) } }
    },
  })
  const authenticator = {
    type: 'CustomAuthenticator',
    class_name: 'source_shop.auth.ShopAuthenticator',
    client_id: "{{ config['client'] or 'me' }}",
    token_url: `${api.url}/token`,
  }
  const paginator = {
    pagination_strategy: { type: 'CustomPaginationStrategy', class_name: 'source_shop.paging.MonthByMonth' },
    page_token_option: option('request_parameter', 'month'),
  }
  const found = await recordsOf(manifestOf({ url: api.url, requester: { authenticator }, paginator }), own.folder)
  assert.deepEqual(found, [
    { month: '1', as: 'for client=me' },
    { month: '2', as: 'for client=me' },
  ])
  assert.deepEqual(api.asked, ['POST /token', 'GET /items', 'GET /items?month=2'])
})

test('docs/library.md: the program that keeps its state asks only for what is new', async () => {
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: [{ id: 1, day: '2024-01-02' }] } }) })
  const incremental_sync = {
    type: 'DatetimeBasedCursor',
    cursor_field: 'day',
    datetime_format: '%Y-%m-%d',
    start_datetime: '2024-01-01',
    end_datetime: '2024-01-03',
    start_time_option: option('request_parameter', 'since'),
  }
  const [, code = ''] = /^## State\n\n```ts\n(.*?)^```$/ms.exec(page('library')) ?? []
  await using own = await connectorFolder({
    'manifest.yaml': JSON.stringify(manifestOf({ url: api.url, name: 'orders', stream: { incremental_sync } })),
    'main.mjs': await programOf(code),
  })
  for (let run = 1; run <= 2; run++) assert.match(await runMain(own.folder), /id: 1/)
  assert.deepEqual(api.asked, ['GET /items?since=2024-01-01', 'GET /items?since=2024-01-02'])
})

test('README.md: its program runs', async () => {
  await using api = await serveApi({ 'GET /items': () => ({ json: { data: [{ id: 7 }] } }) })
  const [, code = ''] = /^```ts\n(.*?)^```$/ms.exec(readFileSync('README.md', 'utf8')) ?? []
  await using own = await connectorFolder({
    'shop/manifest.yaml': JSON.stringify(manifestOf({ url: api.url, name: 'orders' })),
    'main.mjs': await programOf(code),
  })
  assert.equal(await runMain(own.folder), `7\n${api.url}/items 1 not-paginated\n`)
})

async function recordsOf(manifest: object, folder: string): Promise<object[]> {
  const loaded = turnleaf.loadManifest(manifest, { folder })
  const found: object[] = []
  for await (const record of turnleaf.readRecords(loaded)) found.push(record)
  return found
}
