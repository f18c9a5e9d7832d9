/** What `npm run compat:airbyte` calls the same, and what it leads another engine to. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { compare, requestLine, type Side, sortedText } from '../../compat/airbyte/compare.ts'
import { differenceOf, knownDifferences } from '../../compat/airbyte/known-differences.ts'
import { openAnsweringServer } from '../../src/lab/mirror/server.ts'

const side = (changes: Partial<Side> = {}): Side => ({
  requests: ['GET /shops', 'GET /orders'],
  records: [{ id: 1, name: 'a' }, { id: 2 }],
  state: { updated: '2026-01-01' },
  error: null,
  ...changes,
})

describe('two reads of a stream', () => {
  test('are the same whatever the order of requests, records and members', () => {
    const other = side({ requests: ['GET /orders', 'GET /shops'], records: [{ id: 2 }, { name: 'a', id: 1 }] })
    assert.equal(compare(side(), other).verdict, 'same')
  })

  test('differ by a record, a record twice, a state, a request more, an error of ours', () => {
    const changes: Partial<Side>[] = [
      { records: [{ id: 1, name: 'a' }] },
      { records: [{ id: 1, name: 'a' }, { id: 2 }, { id: 2 }] },
      { state: { updated: '2026-01-02' } },
      { requests: ['GET /shops', 'GET /orders', 'GET /orders?page=2'] },
      { error: 'refused' },
    ]
    for (const change of changes) assert.equal(compare(side(change), side()).verdict, 'different')
  })

  test('may take another time', () => {
    const after = (seconds: number) => side({ state: { states: [], lookback_window: seconds } })
    assert.equal(compare(after(20), after(0)).verdict, 'same')
  })

  test('tell what only one of them has', () => {
    const { records } = compare(side({ records: [{ id: 1, name: 'a' }, { id: 3 }] }), side())
    assert.deepEqual(records, [['{"id":3}'], ['{"id":2}']])
  })

  test('may differ by parents that Airbyte requests again, and by nothing else it requests', () => {
    const again = side({ requests: ['GET /shops', 'GET /orders', 'GET /shops'] })
    assert.equal(compare(side(), again).verdict, 'parents')
    assert.equal(compare(again, side()).verdict, 'different')
    const more = side({ requests: ['GET /shops', 'GET /orders', 'GET /orders?page=2'] })
    assert.equal(compare(side(), more).verdict, 'different')
  })

  test('cannot be compared where Airbyte fails, or both do', () => {
    const failed = side({ error: 'refused' })
    assert.equal(compare(failed, failed).verdict, 'neither')
    assert.equal(compare(side(), side({ records: [], error: 'invalid manifest' })).verdict, 'refused')
  })
})

test('equal requests have equal lines', () => {
  const asked = (search: string, body: string, headers: Record<string, string>) =>
    requestLine({ method: 'POST', url: new URL(`https://api.example.com/orders${search}`), headers, body })
  const one = asked('?a=1&b=2', '{"x": 1, "y": [2]}', { 'user-agent': 'one', 'x-key': 'k' })
  assert.equal(one, asked('?b=2&a=1', '{"y":[2],"x":1}', { 'x-key': 'k', host: 'there' }))
  assert.equal(one, 'POST https://api.example.com/orders?a=1&b=2 {"x":1,"y":[2]} x-key: k')
  assert.notEqual(one, asked('?a=1&b=2', '{"x": 1, "y": [2]}', { 'x-key': 'other' }))
  assert.equal(sortedText({ b: [{ d: 1, c: null }], a: 'x' }), '{"a":"x","b":[{"c":null,"d":1}]}')
})

test('every known difference is one that docs/compatibility.md explains', () => {
  const page = readFileSync('docs/compatibility.md', 'utf8')
  for (const name of Object.values(knownDifferences)) assert.ok(page.includes(`| ${name} |`), name)
  assert.equal(differenceOf('pardot/campaigns'), 'link-parameters')
  assert.equal(differenceOf('shop/orders'), null)
})

test('another program gets the answers of its own run, and says which origin it means', async () => {
  const server = await openAnsweringServer()
  const asked: string[] = []
  const relay = server.relay(({ url }) => {
    asked.push(url.href)
    return { body: { from: 'this run' } }
  })
  const other = server.relay(() => ({ body: { from: 'another run' } }))
  const ask = (run: string) =>
    fetch(`http://127.0.0.1:${relay.port}/orders?page=1`, {
      headers: { 'x-meant-origin': 'https://api.example.com', 'x-run': run },
    })
  try {
    assert.deepEqual(await (await ask(relay.run)).json(), { from: 'this run' })
    assert.deepEqual(await (await ask(other.run)).json(), { from: 'another run' })
    assert.deepEqual(asked, ['https://api.example.com/orders?page=1'])
    relay.close()
    assert.equal((await ask(relay.run)).status, 418)
  } finally {
    await server[Symbol.asyncDispose]()
  }
})
