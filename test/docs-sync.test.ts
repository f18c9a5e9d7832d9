/** What docs/sync.md and docs/destinations.md claim: their tables are those of the code, and their examples run. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import type { ColumnType } from '../src/destinations/columns/column-type.ts'
import { sourceColumns } from '../src/destinations/destination.ts'
import { physicalTypes } from '../src/destinations/duckdb/values.ts'
import { sqlTypes } from '../src/destinations/postgres/sql.ts'
import type * as turnleaf from '../src/index.ts'
import { loadManifest, planStream } from '../src/index.ts'
import { startLab } from '../src/lab/lab.ts'
import { contentOf } from '../src/site/homepage/content.ts'
import { syncModes } from '../src/sync/mode-names.ts'
import { isIncremental, modeFor, tableModeOf } from '../src/sync/modes.ts'
import { runCli } from './cli/run-cli.ts'
import { connectorFolder } from './helpers/connector-folder.ts'
import { blocksIn, holdPart, page, programOf, rowsIn, runMain, section } from './helpers/docs.ts'
import { manifestOf, option } from './helpers/manifests.ts'
import { serveApi } from './helpers/serve-api.ts'

/** Does not compile when a type is missing here. */
const holds: Record<ColumnType, string> = {
  boolean: 'true and false',
  int: 'whole numbers within ±2^53',
  bigint: 'whole numbers of 64 bits',
  double: 'numbers with a fraction',
  decimal: 'numbers of any length, digit by digit',
  date: 'days, where the schema says `format: date`',
  timestamp: 'times without a zone, where the schema says so (`airbyte_type`)',
  timestamptz: 'instants, where the schema says `format: date-time`',
  json: 'objects and lists',
  text: 'strings, and whatever has no type in common',
}

test('docs/destinations.md has the type of every column (TURNLEAF_WRITE_DOCS=1 writes them)', () => {
  const rows = (Object.keys(holds) as ColumnType[]).map(
    (type) => `| \`${type}\` | ${holds[type]} | \`${physicalTypes[type]}\` | \`${sqlTypes[type]}\` |\n`,
  )
  holdPart(
    'destinations',
    'types',
    `| type | holds | DuckDB, Parquet | Postgres |\n| --- | --- | --- | --- |\n${rows.join('')}`,
  )
})

test('docs/destinations.md quotes the example whole (TURNLEAF_WRITE_DOCS=1 writes it)', () => {
  const code = readFileSync('examples/own-destination/json-files.ts', 'utf8')
  holdPart('destinations', 'example', `\`\`\`ts\n${code}\`\`\`\n`)
})

test('docs/destinations.md names the columns that every table has, in their order', () => {
  const names = rowsIn(section('destinations', 'Tables and columns')).map(([name]) => name)
  assert.deepEqual(
    names.filter((name) => name?.startsWith('`_turnleaf_')),
    sourceColumns.map((name) => `\`${name}\``),
  )
})

test('docs/destinations.md has every part of the interface and every step', () => {
  type Part = keyof turnleaf.Destination | keyof turnleaf.OpenDestination
  const parts: Record<Part, true> = {
    address: true,
    open: true,
    canShare: true,
    claim: true,
    inspect: true,
    query: true,
    notes: true,
    commit: true,
    count: true,
    isGone: true,
    isStagedGone: true,
    check: true,
    close: true,
  }
  const steps: Record<turnleaf.Step['kind'], true> = { write: true, rewind: true, publish: true, discard: true }
  const names = rowsIn(section('destinations', 'Write a destination')).map(
    ([first]) => /\w+/.exec(first ?? '')?.[0] ?? '',
  )
  assert.deepEqual(names.toSorted(), [...Object.keys(parts), ...Object.keys(steps)].toSorted())
})

test('docs/sync.md has every mode, what it reads and what becomes of the table', () => {
  const becomes = { overwrite: 'is replaced at the end', dedup: 'gets one row per key' }
  for (const [mode = '', reads, table] of rowsIn(section('sync', 'Modes'))) {
    const named = syncModes.find((one) => mode === `\`${one}\``)
    assert.ok(named, mode)
    const landing = tableModeOf(named)
    const appended = isIncremental(named) ? 'gets the new rows' : 'gets all rows once more'
    assert.deepEqual(
      [reads, table],
      [isIncremental(named) ? 'what is new' : 'everything', landing === 'append' ? appended : becomes[landing]],
    )
  }
  assert.equal(rowsIn(section('sync', 'Modes')).length, syncModes.length)
})

test('docs/sync.md: the mode that a stream has by default', () => {
  const incremental_sync = {
    type: 'DatetimeBasedCursor',
    cursor_field: 'day',
    datetime_format: '%Y-%m-%d',
    start_datetime: '2024-01-01',
  }
  const plans = {
    'a stream without a cursor': {},
    'a stream with a cursor, without a primary key': { incremental_sync },
    'a stream with a cursor and a primary key': { incremental_sync, primary_key: 'id' },
  }
  for (const [mode, , , suits = ''] of rowsIn(section('sync', 'Modes'))) {
    if (suits === '') continue
    assert.ok(Object.hasOwn(plans, suits), suits)
    const plan = planStream(loadManifest(manifestOf({ stream: plans[suits as keyof typeof plans] })), 'items', {})
    assert.equal(mode, `\`${modeFor(plan, { name: 'items', isIncremental: true }, undefined)}\``)
  }
})

/** Does not compile when an option is missing here; those with `false` are said as for `readPages`. */
const options: Record<keyof Required<turnleaf.SyncOptions>, boolean> = {
  to: true,
  schema: true,
  connection: true,
  streams: true,
  catalog: true,
  mode: true,
  isFresh: true,
  freshStart: true,
  require: true,
  acceptDrop: true,
  streamsAtOnce: true,
  claim: true,
  onEvent: true,
  onEnd: true,
  config: false,
  prefetch: false,
  concurrency: false,
  cursorField: false,
  chosenSchema: false,
  wantsFiles: false,
  sharedBudget: false,
  isShared: false,
  signal: false,
  limits: false,
  retry: false,
  egress: false,
  trustedOrigins: false,
  onConfig: false,
  onNotice: false,
  isNormalized: false,
  network: false,
  tokens: false,
  run: false,
  now: false,
  sleep: false,
  random: false,
}

test('docs/library.md has every option of a sync, and no other', () => {
  const names = rowsIn(section('library', 'Sync')).map(([name]) => name)
  const own = Object.entries(options).flatMap(([name, isOwn]) => (isOwn ? [`\`${name}\``] : []))
  assert.deepEqual(names, own)
})

test('docs/sync.md has every event and every member of a receipt', () => {
  const kinds: Record<turnleaf.SyncEvent['kind'], true> = {
    'run-started': true,
    'stream-started': true,
    page: true,
    notice: true,
    'slice-ended': true,
    committed: true,
    'stream-ended': true,
    'stream-skipped': true,
    'run-ended': true,
  }
  const text = section('sync', 'Events and receipts')
  assert.deepEqual(
    rowsIn(text).map(([kind]) => kind),
    Object.keys(kinds).map((kind) => `\`${kind}\``),
  )
  const members: Record<keyof Required<turnleaf.StreamReceipt>, true> = {
    stream: true,
    mode: true,
    ending: true,
    pages: true,
    received: true,
    records: true,
    bytes: true,
    slices: true,
    retries: true,
    requestsInVain: true,
    stop: true,
    verdict: true,
    reason: true,
    at: true,
    keys: true,
    claimed: true,
    tookMs: true,
    error: true,
    held: true,
  }
  const [paragraph = ''] = /^A receipt has .*?Counts/ms.exec(text) ?? []
  assert.deepEqual(paragraph.match(/(?<=`)\w+(?=`)/g), Object.keys(members))
})

test('docs/sync.md: its commands and queries give what it shows', async () => {
  await using lab = await startLab({ port: 0, size: 250 })
  await using own = await connectorFolder({ 'config.json': JSON.stringify({ base_url: lab.url }) })
  const [, command = '', shown = ''] = /^\$ npx turnleaf (sync [^\n]*)\n…\n(.*?)^```$/ms.exec(page('sync')) ?? []
  const args = command.replace('connectors/lab', join(process.cwd(), 'connectors/lab')).split(' ')
  const { code, stderr } = await runCli([...args, '--config', 'config.json'], { cwd: own.folder })
  assert.equal(code, 0, stderr)
  assert.ok(stderr.endsWith(`\n${shown}`), stderr)

  const [, runs = ''] = /^\$ npx turnleaf runs [^\n]*\n[^\n]*\n(.*?)^```$/ms.exec(page('sync')) ?? []
  const listed = await runCli(['runs', '--to', 'duckdb:lab.duckdb'], { cwd: own.folder })
  assert.equal(listed.stdout.slice(listed.stdout.indexOf('\n') + 1), runs)

  const instance = await DuckDBInstance.create(join(own.folder, 'lab.duckdb'))
  const connection = await instance.connect()
  const queries = [...page('sync').matchAll(/^```sql\n(.*?)^```$/gms)].map(([, sql]) => String(sql))
  const [origin, counts] = await Promise.all(
    queries.map(async (sql) => (await connection.runAndReadAll(sql)).getRows()),
  )
  connection.closeSync()
  instance.closeSync()
  assert.deepEqual(
    origin?.map(([, slice, number]) => [slice, number]),
    [['{}', 2]],
  )
  const rows = [...section('sync', String.raw`Which page did this row come from\?`).matchAll(/^\| (\{.*) \|$/gm)]
  assert.deepEqual(
    counts?.map((row) => row.map(String).join(' | ')),
    rows.map(([, cells]) => cells),
  )
})

test('README.md and the homepage show what a sync of the lab prints', async () => {
  await using lab = await startLab({ port: 0, size: 250 })
  await using own = await connectorFolder({ 'config.json': JSON.stringify({ base_url: lab.url }) })
  const [, shown = ''] = /^```\n(stream .*?)^```$/ms.exec(readFileSync('README.md', 'utf8')) ?? []
  const args = ['sync', '--manifest-path', join(process.cwd(), 'connectors/lab'), '--to', 'duckdb:turnleaf.duckdb']
  const { stderr } = await runCli([...args, '--config', 'config.json'], { cwd: own.folder })
  const printed = new Set(stderr.split('\n'))
  const lines = shown.trimEnd().split('\n')
  assert.deepEqual(
    lines.filter((line) => line !== '…' && !printed.has(line)),
    [],
  )
  const { receipt } = contentOf({ baseUrl: '', apiUrl: '', version: '' }, [])
  const cells = lines.slice(0, lines.indexOf('…')).map((line) => line.split(/ {2,}/))
  assert.deepEqual(
    [receipt.columns, ...receipt.rows],
    cells.map((row) => row.toSpliced(3, 1)),
  )
})

test('docs/sync.md: its program runs', async () => {
  const incremental_sync = {
    type: 'DatetimeBasedCursor',
    cursor_field: 'day',
    datetime_format: '%Y-%m-%d',
    start_datetime: '2024-01-01',
    end_datetime: '2024-01-03',
    start_time_option: option('request_parameter', 'since'),
  }
  await using api = await serveApi({
    'GET /items': () => ({ json: { data: [{ id: 7, day: '2024-01-02' }], total: 1 } }),
  })
  const stream = { incremental_sync, primary_key: 'id' }
  const [, code = ''] = /^```ts\n(.*?)^```$/ms.exec(page('sync')) ?? []
  await using own = await connectorFolder({
    'shop/manifest.yaml': JSON.stringify(manifestOf({ url: api.url, name: 'orders', stream })),
    'main.mjs': await programOf(code),
  })
  assert.match(await runMain(own.folder), /^(orders: \d records are safe\n)+orders 1 \w+ .+\n$/)
  await runMain(own.folder)
  assert.deepEqual(api.asked, ['GET /items?since=2024-01-01', 'GET /items?since=2024-01-02'])
})

test('docs/sync.md: its program exits with 1 when a stream is incomplete, and when its table was held', async () => {
  let total = 3
  await using api = await serveApi({
    'GET /items': () => ({ json: { data: [{ id: 1 }, { id: 2 }].slice(0, total), ...(total > 2 && { total }) } }),
  })
  const [, program = ''] = /^```ts\n(.*?)^```$/ms.exec(page('sync')) ?? []
  const code = program.replace("mode: { orders: 'incremental_dedup' }", "mode: 'full_refresh_overwrite'")
  await using own = await connectorFolder({
    'shop/manifest.yaml': JSON.stringify(manifestOf({ url: api.url, name: 'orders' })),
    'main.mjs': await programOf(code),
  })
  const fails = { code: 1, stdout: /orders 2 incomplete/ }
  await assert.rejects(runMain(own.folder), fails)
  await assert.rejects(runMain(own.folder), fails)
  total = 2
  assert.match(await runMain(own.folder), /orders 2 unproven/)
  total = 0
  await assert.rejects(runMain(own.folder), { code: 1, stdout: /orders 0 unproven/ })

  const [, publishing = ''] = blocksIn(page('sync'), 'ts')
  await writeFile(join(own.folder, 'main.mjs'), await programOf(publishing))
  assert.equal(await runMain(own.folder), '2 → 0 rows\n')
})
