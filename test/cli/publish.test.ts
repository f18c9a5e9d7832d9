/** A table that was not replaced, from the command line: what is said, how to look, how to accept. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SyncEvent } from '../../src/sync/events.ts'
import { freshDatabase } from '../helpers/postgres.ts'
import { serveApi } from '../helpers/serve-api.ts'
import { runCli } from './run-cli.ts'
import { idsIn, manifestOf, orders, ordersFrom, stream, tempFolder } from './shop.ts'

/** Five orders were synced into `out`; the API then has a chosen number of them. */
async function landed() {
  let size = orders.length
  const api = await serveApi({ 'GET /orders': (query) => ordersFrom(query, orders.slice(0, size)) })
  const files = await tempFolder()
  await files.write('shop/manifest.json', manifestOf([stream(api.url, { name: 'orders' })]))
  const run = (...args: string[]) => runCli(args, { cwd: files.folder })
  const sync = (...args: string[]) => run('sync', '--manifest-path', 'shop', '--to', 'jsonl:out', ...args)
  assert.equal((await sync()).code, 0)
  return {
    run,
    sync,
    has: (count: number) => void (size = count),
    ids: () => idsIn(`${files.folder}/out`, 'orders'),
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]()
      await files[Symbol.asyncDispose]()
    },
  }
}

/** The command after a word, as a shell would split it. */
function commandAfter(word: string, stderr: string): string[] {
  const [, line = ''] = new RegExp(`^  ${word} +npx turnleaf (.*)$`, 'm').exec(stderr) ?? []
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

describe('turnleaf publish', { concurrency: 2 }, () => {
  test('a sync that would lose rows ends with 1 and names the commands to show and accept the rows, which work', async () => {
    await using shop = await landed()
    shop.has(2)
    const { code, stderr } = await shop.sync()
    assert.equal(code, 1, stderr)
    assert.match(stderr, /^Stream "orders" was held: the read is not verified .* less than half as many rows/m)
    assert.match(stderr, /^ {2}2 rows were read, the table has 5\. The table was not changed\.$/m)
    assert.match(stderr, /--accept-drop/)
    assert.doesNotMatch(stderr, /written to/)
    assert.equal((await shop.ids()).length, 5)

    const look = await shop.run(...commandAfter('show', stderr), '--json')
    assert.equal(look.code, 0, look.stderr)
    assert.equal(look.stdout.trimEnd().split('\n').length, 2)

    const listed = await shop.run('runs', '--to', 'jsonl:out')
    assert.match(listed.stdout, /1 of 1 stream held$/m)
    assert.match(listed.stdout, /^ {2}orders was held: 2 rows were read, the table has 5; /m)

    const accept = await shop.run(...commandAfter('accept', stderr))
    assert.equal(accept.code, 0, accept.stderr)
    assert.equal(accept.stderr, '"orders" in jsonl:out: 5 → 2 rows, published.\n')
    assert.equal((await shop.ids()).length, 2)
    assert.match((await shop.run('runs', '--to', 'jsonl:out')).stdout, /1 of 1 stream held, then published$/m)
  })

  test('--accept-drop replaces the table, --json has the receipt', async () => {
    await using shop = await landed()
    shop.has(2)
    const held = await shop.sync('--json')
    assert.equal(held.code, 1)
    const last = JSON.parse(held.stdout.trimEnd().split('\n').at(-1) ?? '') as SyncEvent
    assert.ok(last.kind === 'run-ended')
    assert.equal(last.result.ending, 'held')
    assert.equal(last.result.receipts[0]?.held?.existing, 5)
    const runs = await shop.run('runs', '--to', 'jsonl:out', '--json', '--limit', '1')
    assert.equal(JSON.parse(runs.stdout).status, 'held')

    const { code, stderr } = await shop.sync('--accept-drop')
    assert.equal(code, 0, stderr)
    assert.equal((await shop.ids()).length, 2)
  })

  test('nothing to publish is a fault of the arguments, with a hint', async () => {
    await using shop = await landed()
    const nothing = await shop.run('publish', 'orders', '--to', 'jsonl:out')
    assert.equal(nothing.code, 2)
    assert.match(nothing.stderr, /No rows of "orders" are held in jsonl:out/)
    const unknown = await shop.run('publish', 'order', '--to', 'jsonl:out')
    assert.equal(unknown.code, 2)
    assert.match(unknown.stderr, /Did you mean "orders"\?/)
    const json = await (shop.has(2),
    shop.sync().then(() => shop.run('publish', 'orders', '--to', 'jsonl:out', '--json')))
    assert.deepEqual([JSON.parse(json.stdout).before, JSON.parse(json.stdout).after], [5, 2])
  })

  test('after the sync of a connection, the commands need only its name: its file has the destination and the password', async () => {
    let size = orders.length
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query, orders.slice(0, size)) })
    await using database = await freshDatabase()
    await using files = await tempFolder()
    await files.write('connectors/shop/manifest.json', manifestOf([stream(api.url, { name: 'orders' })]))
    const file = 'connector: shop\ndestination: ${SHOP_DATABASE}\nschema: raw\n'
    await files.write('connections/shop/connection.yaml', file)
    const env = { SHOP_DATABASE: database.url }
    const run = (...args: string[]) => runCli(args, { cwd: files.folder, env })

    assert.match((await run('runs', '--connection', 'shop')).stderr, /Start one with `npx turnleaf sync shop`\.\n$/)
    const first = await run('sync', 'shop')
    assert.equal(first.code, 0, first.stderr)
    const rows = await run(...commandAfter('show', first.stderr), '--json')
    assert.equal(rows.stdout.trimEnd().split('\n').length, 5, rows.stderr)

    size = 2
    const { code, stderr } = await run('sync', 'shop')
    assert.equal(code, 1, stderr)
    const staged = await run(...commandAfter('show', stderr), '--json')
    assert.equal(staged.stdout.trimEnd().split('\n').length, 2, staged.stderr)
    const accept = commandAfter('accept', stderr)
    assert.deepEqual(accept, ['publish', 'orders', '--connection', 'shop'])
    const accepted = await run(...accept)
    assert.equal(accepted.code, 0, accepted.stderr)

    const counted = await run('query', '--connection', './connections/shop', 'select count(*) as rows from orders')
    assert.match(counted.stdout, /^rows\n +2\n$/, counted.stderr)
    for (const name of ['shop', './connections/shop']) {
      const listed = await run('runs', '--connection', name)
      assert.match(listed.stdout, /1 of 1 stream held, then published$/m, listed.stderr)
    }
  })

  test('after a sync to an address with variables, the commands have the variables and work', async () => {
    let size = orders.length
    await using api = await serveApi({ 'GET /orders': (query) => ordersFrom(query, orders.slice(0, size)) })
    await using database = await freshDatabase()
    await using files = await tempFolder()
    await files.write('shop/manifest.json', manifestOf([stream(api.url, { name: 'orders' })]))
    const { password } = new URL(database.url)
    const to = database.url.replace(`:${password}@`, ':${SHOP_PASSWORD}@')
    const run = (...args: string[]) => runCli(args, { cwd: files.folder, env: { SHOP_PASSWORD: password } })
    const sync = () => run('sync', '--manifest-path', 'shop', '--to', to, '--schema', 'raw')

    const first = await sync()
    assert.equal(first.code, 0, first.stderr)
    const rows = await run(...commandAfter('show', first.stderr), '--json')
    assert.equal(rows.stdout.trimEnd().split('\n').length, 5, rows.stderr)

    size = 2
    const { code, stderr } = await sync()
    assert.equal(code, 1, stderr)
    const staged = await run(...commandAfter('show', stderr), '--json')
    assert.equal(staged.stdout.trimEnd().split('\n').length, 2, staged.stderr)
    const accepted = await run(...commandAfter('accept', stderr))
    assert.equal(accepted.code, 0, accepted.stderr)
    assert.ok(!`${first.stderr}${stderr}`.includes(`:${password}@`))
  })
})
