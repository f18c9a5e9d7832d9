/** Connectors as a platform runs them: what one command gives, the next one takes; every message fits the protocol. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startLab } from '../../src/lab/lab.ts'
import { someOf } from '../helpers/proof.ts'
import { checkerFor, faultOf } from '../helpers/protocol-schema.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { serveMirror } from '../helpers/serve-mirror.ts'
import { type Line, messagesIn, type Ran, runCli } from './run-cli.ts'
import { daily, type Files, manifestOf, orders, stream, tempFolder } from './shop.ts'

type Connector = { readonly args: readonly string[]; readonly config: object }

type CatalogStream = {
  readonly name: string
  readonly json_schema: { readonly properties?: object }
  readonly supported_sync_modes: readonly string[]
  readonly default_cursor_field?: readonly string[]
  readonly source_defined_primary_key?: readonly (readonly string[])[]
}

type State = { readonly name: string; readonly state: Record<string, unknown>; readonly count: number }

async function run(...args: readonly string[]): Promise<{ ran: Ran; messages: Line[] }> {
  const ran = await runCli(args)
  const messages = messagesIn(ran)
  for (const message of messages) assert.equal(faultOf(message), null, JSON.stringify(message).slice(0, 500))
  return { ran, messages }
}

const ofType = <Value>(messages: readonly Line[], type: string, member: string) =>
  messages.flatMap((one) => (one.type === type ? [one[member] as Value] : []))

const recordsOf = (messages: readonly Line[]) =>
  ofType<{ stream: string; data: Record<string, unknown> }>(messages, 'RECORD', 'record')

const statesOf = (messages: readonly Line[]): State[] =>
  ofType<{ stream: { stream_descriptor: { name: string }; stream_state: Record<string, unknown> } }>(
    messages,
    'STATE',
    'state',
  ).map((state) => ({
    name: state.stream.stream_descriptor.name,
    state: state.stream.stream_state,
    count: (state as unknown as { sourceStats: { recordCount: number } }).sourceStats.recordCount,
  }))

function statusesOf(messages: readonly Line[], name: string): string[] {
  return ofType<{ stream_status?: { stream_descriptor: { name: string }; status: string } }>(
    messages,
    'TRACE',
    'trace',
  ).flatMap(({ stream_status: one }) => (one?.stream_descriptor.name === name ? [one.status] : []))
}

/** As a platform writes it. */
const configured = (streams: readonly CatalogStream[], mode: 'full_refresh' | 'incremental') => ({
  streams: streams.map((one) => ({
    stream: one,
    sync_mode: one.supported_sync_modes.includes(mode) ? mode : 'full_refresh',
    destination_sync_mode: 'append',
    ...(one.default_cursor_field && { cursor_field: one.default_cursor_field }),
    ...(one.source_defined_primary_key && { primary_key: one.source_defined_primary_key }),
  })),
})

/** The whole of what a source owes a platform. */
async function accept({ args, config }: Connector, files: Files): Promise<void> {
  const told = await run('spec', ...args)
  const [spec, ...more] = ofType<{ connectionSpecification: object }>(told.messages, 'SPEC', 'spec')
  assert.ok(spec !== undefined && more.length === 0, 'spec gives one SPEC')
  assert.equal(checkerFor(spec.connectionSpecification)(config), null, 'the config fits the spec')

  const given = [...args, '--config', await files.write('config.json', config)]
  const checked = await run('check', ...given)
  const status = ofType<{ status: string; message?: string }>(checked.messages, 'CONNECTION_STATUS', 'connectionStatus')
  assert.deepEqual(status, [{ status: 'SUCCEEDED' }])

  const discovered = await run('discover', ...given)
  const [catalog] = ofType<{ streams: CatalogStream[] }>(discovered.messages, 'CATALOG', 'catalog')
  const streams = catalog?.streams ?? []
  checkCatalog(streams)

  const whole = await files.write('whole.json', configured(streams, 'full_refresh'))
  const first = await run('read', ...given, '--catalog', whole)
  assert.equal(first.ran.code, 0, first.ran.stderr)
  checkRead(first.messages, streams)
  const again = await run('read', ...given, '--catalog', whole)
  assert.deepEqual(sorted(again.messages), sorted(first.messages), 'a second read brings the same records')

  // What `discover` prints is a catalog as it is; every state in the output of a read is a state to resume from.
  const plain = await files.write('plain.jsonl', discovered.ran.stdout)
  const incremental = await run('read', ...given, '--catalog', plain)
  assert.equal(incremental.ran.code, 0, incremental.ran.stderr)
  checkRead(incremental.messages, streams)
  const state = await files.write('state.jsonl', incremental.ran.stdout)
  const chosen = await files.write('incremental.json', configured(streams, 'incremental'))
  const resumed = await run('read', ...given, '--catalog', chosen, '--state', state)
  assert.equal(resumed.ran.code, 0, resumed.ran.stderr)
  checkRead(resumed.messages, streams)
  for (const one of streams) checkResumed(one, incremental.messages, resumed.messages)
}

function checkCatalog(streams: readonly CatalogStream[]): void {
  assert.ok(streams.length > 0)
  assert.equal(new Set(streams.map(({ name }) => name)).size, streams.length, 'names are unique')
  for (const { name, json_schema, source_defined_primary_key: keys = [], ...one } of streams) {
    checkerFor(json_schema)
    const fields = Object.keys(json_schema.properties ?? {})
    for (const [field] of keys) assert.ok(field !== undefined && fields.includes(field), `${name} has no key ${field}`)
    const isIncremental = one.supported_sync_modes.includes('incremental')
    assert.equal(isIncremental, one.default_cursor_field !== undefined)
  }
}

function checkRead(messages: readonly Line[], streams: readonly CatalogStream[]): void {
  const records = recordsOf(messages)
  const states = statesOf(messages)
  for (const one of streams) {
    const { name, json_schema, source_defined_primary_key: keys = [] } = one
    const own = records.filter((record) => record.stream === name)
    const expected = ['STARTED', ...(own.length > 0 ? ['RUNNING'] : []), 'COMPLETE']
    assert.deepEqual(statusesOf(messages, name), expected, name)
    const fault = checkerFor(json_schema)
    for (const { data } of own) {
      assert.equal(fault(data), null, `${name}: ${JSON.stringify(data).slice(0, 300)}`)
      for (const path of keys) assert.ok(valueAt(data, path) != null, `${name}: no ${path.join('.')}`)
    }
    const given = states.filter((state) => state.name === name)
    assert.ok(given.length > 0, `${name} has a state`)
    assert.equal(
      given.reduce((sum, { count }) => sum + count, 0),
      own.length,
      `${name}: states count every record`,
    )
    checkNeverBack(one, given)
  }
}

/** How far each state of a stream without partitions says it got. */
function checkNeverBack({ name, default_cursor_field: [field] = [] }: CatalogStream, states: readonly State[]): void {
  if (field === undefined) return
  const reached = states.map(({ state }) => state[field]).filter((value) => value !== undefined)
  for (const [index, value] of reached.slice(1).entries()) {
    assert.ok(isAtLeast(value, reached[index]), `${name}: its state went back to ${JSON.stringify(value)}`)
  }
}

function isAtLeast(value: unknown, before: unknown): boolean {
  return typeof value === 'number' ? value >= Number(before) : String(value) >= String(before)
}

/** The state continues that of the first read, and older records are not repeated. */
function checkResumed(one: CatalogStream, first: readonly Line[], second: readonly Line[]): void {
  const of = (messages: readonly Line[]) => statesOf(messages).filter(({ name }) => name === one.name)
  const last = of(first).at(-1)
  assert.ok(last !== undefined)
  checkNeverBack(one, [last, ...of(second)])
  const count = (messages: readonly Line[]) =>
    recordsOf(messages).filter(({ stream: name }) => name === one.name).length
  assert.ok(count(second) <= count(first), `${one.name}: a resumed read brings no more than the first`)
}

function valueAt(data: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], data)
}

/** Slices are read side by side, so their records may mix. */
function sorted(messages: readonly Line[]): string[] {
  return recordsOf(messages)
    .map(({ stream: name, data }) => JSON.stringify([name, data]))
    .toSorted()
}

describe('as a platform runs it', { concurrency: 2 }, () => {
  test('the lab connector', async () => {
    await using lab = await startLab({ port: 0, size: 60 })
    await using files = await tempFolder()
    await accept({ args: ['--manifest-path', 'connectors/lab/manifest.yaml'], config: { base_url: lab.url } }, files)
  })

  for (const name of someOf(['source-rollbar', 'source-stockdata', 'source-hoorayhr', 'source-breezy-hr'])) {
    test(name, async () => {
      await using mirror = await serveMirror(name)
      await using files = await tempFolder()
      const manifest = await files.write('manifest.yaml', mirror.manifest)
      await accept({ args: ['--manifest-path', manifest], config: mirror.config }, files)
    })
  }

  test('windows and partitions', async () => {
    await using api = await serveApi({
      'GET /orders': (query) => {
        const [since, until] = [query.get('since') ?? '', query.get('until') ?? '']
        const offset = Number(query.get('offset') ?? 0)
        const within = orders.filter(({ at }) => at >= since && at <= until)
        return { json: { data: within.slice(offset, offset + 2), total: within.length } }
      },
    })
    await using files = await tempFolder()
    const properties = { id: { type: 'integer' }, at: { type: 'string' } }
    const schema_loader = { type: 'InlineSchemaLoader', schema: { type: 'object', properties } }
    const plain = stream(api.url, { name: 'orders', stream: { ...daily, schema_loader } }) as { retriever: object }
    const partition_router = { type: 'ListPartitionRouter', values: ['a', 'b'], cursor_field: 'shop' }
    const byShop = { ...plain, name: 'by_shop', retriever: { ...plain.retriever, partition_router } }
    const manifest = await files.write('manifest.json', manifestOf([plain, byShop]))
    await accept({ args: ['--manifest-path', manifest], config: {} }, files)
  })
})
