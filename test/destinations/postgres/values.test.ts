/** Values and names that Postgres has its own ideas about. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { ConnectorError } from '../../../src/std/errors.ts'
import type { JsonRecord } from '../../../src/engine/plan/plan.ts'
import { float, LongDecimal } from '../../../src/std/json.ts'
import { freshDatabase } from '../../helpers/postgres.ts'
import { commit, during, page, publish, records, table, write } from '../behaviours.ts'
import { type PostgresPlace, postgresPlace } from './place.ts'

let database: ReturnType<typeof freshDatabase> | undefined
const freshPlace = async () => postgresPlace((await (database ??= freshDatabase())).url)
after(async () => (await database)?.[Symbol.asyncDispose]())

const values = table('values', 'append')
const land = (place: PostgresPlace, ...batches: readonly JsonRecord[][]) =>
  during(place, async (open) => {
    for (const batch of batches) await open.commit(commit([write(values, page(batch))]))
  })
const typeOf = async (place: PostgresPlace, column: string) => {
  const [row] = await place.query(
    `SELECT data_type FROM information_schema.columns WHERE table_schema = $1 AND column_name = $2 LIMIT 1`,
    [place.schema, column],
  )
  return row?.data_type
}

test('numbers keep every digit while their column widens', async () => {
  const steps: [unknown, string][] = [
    [null, 'absent'],
    [9007199254740991, 'bigint'],
    [0.1, 'double precision'],
    [2n ** 62n + 1n, 'numeric'],
    [-1.7976931348623157e-300, 'numeric'],
    [2n ** 64n, 'numeric'],
    [new LongDecimal('1234567890.1234567891'), 'numeric'],
    ['x', 'text'],
  ]
  await using place = await freshPlace()
  const sent: unknown[] = []
  for (const [value, type] of steps) {
    await land(place, [{ id: 1, v: value }])
    assert.equal((await typeOf(place, 'v')) ?? 'absent', type)
    if (value === null) continue
    sent.push(value)
    const rows = await place.query('SELECT v::text AS v FROM "values" WHERE v IS NOT NULL ORDER BY ctid')
    assert.deepEqual(
      rows.map(({ v }, index) => (typeof sent[index] === 'number' ? Number(v) : v)),
      sent.map(asRead),
    )
  }
})

const asRead = (value: unknown) => (typeof value === 'number' ? value : String(value))

test('doubles become text as JavaScript writes them', async () => {
  await using place = await freshPlace()
  const numbers = [
    1e21,
    1e20,
    123456789012345680000,
    1e-6,
    1.5e-7,
    5e-324,
    1.7976931348623157e308,
    0.1,
    1e16 + 2,
    -0.5,
    1e15,
  ]
  await land(
    place,
    numbers.map((v, id) => ({ id, v: Number.isInteger(v) ? float(v) : v })),
    [{ id: 99, v: 'text' }],
  )
  const rows = await records(place, 'values')
  assert.deepEqual(
    rows?.map(({ v }) => v),
    [...numbers.map(String), 'text'],
  )
})

const day = { format: 'date-time', type: 'string' }

test('every time that a column takes is taken by the server', async () => {
  await using place = await freshPlace()
  const days = ['0001-01-01', '1900-02-28', '2000-02-29', '9999-12-31', '2024-06-30']
  const clocks = ['00:00', '23:59:59', '12:30:15.1', '12:30:15.123456']
  const zones = ['Z', ' Z', '+00', '-15', '+1545', '+05:30', '-00:00', ' +0100']
  const instants = days.flatMap((date) => clocks.flatMap((clock) => zones.map((zone) => `${date}T${clock}${zone}`)))
  const locals = days.flatMap((date) => clocks.map((clock) => `${date} ${clock}`))
  const stream = table('times', 'append', {
    schema: {
      properties: {
        at: day,
        local: { ...day, airbyte_type: 'timestamp_without_timezone' },
        on: { type: 'string', format: 'date' },
      },
    },
  })
  const batch = instants.map((at, index) => ({
    at,
    local: locals[index % locals.length],
    on: days[index % days.length],
  }))
  await during(place, (open) => open.commit(commit([write(stream, page(batch)), publish(stream)])))
  assert.equal(await typeOf(place, 'at'), 'timestamp with time zone')
  assert.equal(await typeOf(place, 'local'), 'timestamp without time zone')
  assert.equal(await typeOf(place, 'on'), 'date')
  const [row] = await place.query(`SELECT count(*) AS n FROM times WHERE at IS NOT NULL AND local IS NOT NULL`)
  assert.deepEqual(row, { n: batch.length })
})

test('times become ISO 8601 when something turns up that is no time', async () => {
  await using place = await freshPlace()
  const stream = table('times', 'append', {
    schema: { properties: { at: day, on: { type: 'string', format: 'date' } } },
  })
  const rows = [
    { id: 1, at: '2024-05-06T07:08:09+02:00', on: '2024-02-29' },
    { id: 2, at: '2024-05-06T07:08:09.5Z', on: '2024-03-01' },
  ]
  await during(place, async (open) => {
    await open.commit(commit([write(stream, page(rows))]))
    await open.commit(commit([write(stream, page([{ id: 3, at: 'soon', on: '2024-02-30' }])), publish(stream)]))
  })
  assert.deepEqual(await records(place, 'times'), [
    { id: 1, at: '2024-05-06T05:08:09Z', on: '2024-02-29' },
    { id: 2, at: '2024-05-06T07:08:09.500000Z', on: '2024-03-01' },
    { id: 3, at: 'soon', on: '2024-02-30' },
  ])
})

test('what COPY means by a backslash, a tab and \\N is text like any other', async () => {
  await using place = await freshPlace()
  const texts = [
    '\\N',
    '\\.',
    '\t',
    '\r\n',
    '\\t',
    '\\\\',
    '\\u0000',
    '"\\u0000"',
    '',
    ' ',
    '\b\f\v',
    '\u2028',
    '💚',
    'NULL',
  ]
  const sent = texts.map((v, id) => ({ id, v, deep: { [v]: [v] } }))
  await land(place, sent)
  assert.deepEqual(await records(place, 'values'), sent)
})

test('a text that jsonb refuses loses a character, in names too, and an escaped backslash is left alone', async () => {
  await using place = await freshPlace()
  await land(place, [{ id: 1, deep: { 'a\u0000b': '\udfff\ud800x', '\\u0000': '\\\u0000\\ud800 \ud83d\udc9a' } }])
  const deep = { 'a\ufffdb': '\ufffd\ufffdx', '\\u0000': '\\\ufffd\\ud800 💚' }
  assert.deepEqual(await records(place, 'values'), [{ id: 1, deep }])
})

test('names of the system, names that differ by case, names cut to 63 bytes: all get a column', async () => {
  await using place = await freshPlace()
  const long = '💚'.repeat(75)
  const names = [
    'ctid',
    'xmin',
    'xmax',
    'cmin',
    'cmax',
    'tableoid',
    'oid',
    'Name',
    'name',
    'NAME',
    `${long}a`,
    `${long}b`,
  ]
  const own = [
    '_turnleaf_order',
    '_turnleaf_page',
    '_turnleaf_run',
    'user',
    'table',
    'a"b',
    "a'b",
    '%s',
    '$1',
    '__proto__',
  ]
  const all = [...names, ...own]
  const record = JSON.parse(`{${all.map((name, index) => `${JSON.stringify(name)}:${index}`).join()}}`)
  const stream = table('names', 'dedup', { primaryKey: [['ctid'], [`${long}a`]], cursorField: 'xmin' })
  for (let round = 0; round < 2; round++)
    await during(place, (open) => open.commit(commit([write(stream, page([record])), publish(stream)])))
  const [row, ...others] = (await place.rows('names')) ?? []
  assert.deepEqual(others, [])
  assert.deepEqual(
    Object.values(row ?? {}).slice(0, all.length),
    all.map((_, index) => index),
  )
})

const refusal = async (place: PostgresPlace, record: JsonRecord): Promise<ConnectorError> => {
  const error = await land(place, [record]).catch((failure: unknown) => failure)
  assert.ok(error instanceof ConnectorError)
  assert.equal(error.code, 'destinations/data-refused')
  return error
}

const wide = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`field ${index}`, value]))

test('a stream with more fields than a table has columns, or than fit into a row, is refused with what to do', async () => {
  await using place = await freshPlace()
  const many = await refusal(place, wide(1700, true))
  assert.match(many.message, /at most 1,600 columns/)
  const large = await refusal(place, wide(1500, 1.5))
  assert.match(large.message, /row is too big/)
  for (const { hint } of [many, large]) assert.match(hint, /nest them in one/)
})

test('a value that Postgres refuses is named by its column, and not shown', async () => {
  await using place = await freshPlace()
  const overflow = await refusal(place, { id: 1, 'the sum': { of: 10n ** 140_000n } })
  assert.match(overflow.message, /refused a value of the column "the sum": value overflows numeric format/)

  await land(place, [{ id: 1, name: 'short' }])
  await place.query('ALTER TABLE "values" ALTER COLUMN name TYPE varchar(5)')
  const { message } = await refusal(place, { id: 2, name: 'private' })
  assert.match(message, /refused a value of the column "name": value too long/)
  assert.doesNotMatch(message, /private/)
})

test('a dropped table is created again, with the columns of new records', async () => {
  await using place = await freshPlace()
  await land(place, [{ id: 1, gone: true }])
  await place.query('DROP TABLE "values"')
  await land(place, [{ id: 2 }])
  assert.deepEqual(await place.rows('values').then((rows) => rows?.map(({ id }) => id)), [2])
  assert.equal(await typeOf(place, 'gone'), undefined)
})

test('staged rows that were dropped are missed: nothing incomplete is published', async () => {
  await using place = await freshPlace()
  const staged = table('staged', 'overwrite')
  await during(place, (open) => open.commit(commit([write(staged, page([{ id: 1 }]))])))
  const [found] = await place.query(
    `SELECT relname FROM pg_class WHERE relname ~ '^_turnleaf_staged_' AND pg_table_is_visible(oid)`,
  )
  await place.query(`DROP TABLE "${String(found?.relname)}"`)
  for (const step of [write(staged, page([{ id: 2 }])), publish(staged)])
    await assert.rejects(
      during(place, (open) => open.commit(commit([step]))),
      (error) => error instanceof ConnectorError && error.code === 'destinations/unreadable',
    )
  await during(place, (open) =>
    open.commit(commit([{ kind: 'discard', table: staged }, write(staged, page([{ id: 3 }])), publish(staged)])),
  )
  assert.deepEqual(await records(place, 'staged'), [{ id: 3 }])
})

test('notes may have keys of any length', async () => {
  await using place = await freshPlace()
  const long = Array.from({ length: 4000 }, (_, index) => index.toString(36)).join('')
  const keys = [`slice/${long}`, `slice/${long}x`, 'slice/a', 'slicf']
  await during(place, async (open) => {
    await open.commit(commit([], Object.fromEntries(keys.map((key) => [key, '1']))))
    await open.commit(commit([], { [`slice/${long}`]: '2' }))
    assert.deepEqual([...(await open.notes(`slice/${long}`)).values()], ['2', '1'])
    await open.commit(commit([], {}, [`slice/${long}x`, 'slice/a']))
    assert.ok(isDeepStrictEqual([...(await open.notes('')).keys()], [`slice/${long}`, 'slicf']))
  })
})
