/** Which lines of a table lose against another with their key. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Table } from '../../../src/destinations/destination.ts'
import { outdatedLines } from '../../../src/destinations/jsonl/outdated-lines.ts'

const root = await mkdtemp(join(tmpdir(), 'turnleaf-outdated-'))
after(async () => await rm(root, { recursive: true }))

async function stays(lines: readonly string[], given: Partial<Table> = {}, bucketBytes?: number): Promise<number[]> {
  const path = join(root, 'table.jsonl')
  await writeFile(path, lines.map((line) => `${line}\n`).join(''))
  const part = { path, length: (await stat(path)).size }
  const table: Table = { name: 't', mode: 'dedup', primaryKey: [['id']], cursorField: 'at', schema: null, ...given }
  const outdated = await outdatedLines([part], table, join(root, 'spill'), bucketBytes)
  return [...lines.keys()].filter((line) => !outdated.has(line))
}

/** Whether the second of two values of a cursor counts as higher, not only as the later of two equals. */
async function isHigher(one: string, other: string, schema: Table['schema'] = null): Promise<boolean> {
  return (await stays([`{"id":1,"at":${other}}`, `{"id":1,"at":${one}}`], { schema }))[0] === 0
}

const schemaOf = (format: string, more = {}) => ({ properties: { at: { type: 'string', format, ...more } } })

test('cursors are compared as what they are', async () => {
  const ascending: [string, string, Table['schema']?][] = [
    ['9', '10'],
    ['9', '9.5'],
    ['9007199254740992', '9007199254740993'],
    ['9223372036854775807', '9223372036854775808'],
    ['-1', '0'],
    ['"9"', '"91"'],
    ['"9"', '"10"'],
    ['"9"', '10'],
    ['"10 a"', '"9 a"'],
    ['false', 'true'],
    ['null', '0'],
    ['"\uffee"', '"😀"'],
    ['"2024-01-01T23:30:00-01:00"', '"2024-01-02T00:31:00Z"', schemaOf('date-time')],
    ['"2024-01-02T00:00:00+02"', '"2024-01-01T22:00:00.000001Z"', schemaOf('date-time')],
    ['"2024-01-01T00:00:00.123456Z"', '"2024-01-01 00:00:00.123457 +0000"', schemaOf('date-time')],
    [
      '"2024-01-01 10:00"',
      '"2024-01-01T10:00:01"',
      schemaOf('date-time', { airbyte_type: 'timestamp_without_timezone' }),
    ],
    ['"2024-01-31"', '"2024-02-01"', schemaOf('date')],
    // No day, so the column is text.
    ['"2024-02-30"', '"2024-03-01"', schemaOf('date')],
  ]
  for (const [low, high, schema] of ascending) {
    assert.ok(await isHigher(low, high, schema), `${low} < ${high}`)
    assert.ok(!(await isHigher(high, low, schema)), `not ${high} < ${low}`)
  }
  assert.ok(!(await isHigher('"2024-01-01T02:00:00+02:00"', '"2024-01-01T00:00:00Z"', schemaOf('date-time'))))
})

test('keys are one when a column would say so, and long integers differ in their last digit', async () => {
  assert.deepEqual(await stays(['{"id":1}', '{"id":1.0}', '{"id":"1"}']), [2])
  assert.deepEqual(await stays(['{"id":9007199254740992}', '{"id":9007199254740993}']), [0, 1])
  const primaryKey = [['a'], ['b', 'c']]
  const lines = [
    '{"a":"x","b":{"c":"y,z"}}',
    '{"a":"x,y","b":{"c":"z"}}',
    '{"a":"x","b":{}}',
    '{"a":"x","b":{"c":"y,z"}}',
  ]
  assert.deepEqual(await stays(lines, { primaryKey }), [1, 2, 3])
  assert.deepEqual(await stays(['{}', '{}'], { primaryKey: [['__proto__']], cursorField: 'constructor' }), [0, 1])
})

test('a table that does not fit into memory gives the same result, and leaves no files', async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => {
    const id = (index * 7919) % 6000
    return `{"id":"key-${id}","at":${(index * 31) % 17},"text":"${'x'.repeat(index % 20)}"}`
  })
  const atOnce = await stays(lines)
  assert.equal(atOnce.length, 6000)
  assert.deepEqual(await stays(lines, {}, 10_000), atOnce)
  assert.deepEqual(await readdir(root), ['table.jsonl'])
})
