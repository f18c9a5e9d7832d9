/** How a table is changed so that new records fit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ColumnType } from '../../../src/destinations/columns/column-type.ts'
import type { Column } from '../../../src/destinations/columns/columns.ts'
import type { PostgresSession } from '../../../src/destinations/postgres/session.ts'
import { alterTable, createTable } from '../../../src/destinations/postgres/tables.ts'

const column = (name: string, type: ColumnType): Column => ({ key: name, name, type, isUsed: true })

/** A session that only notes what it is asked. */
function noting() {
  const asked: string[] = []
  const query = async (sql: string) => {
    asked.push(sql)
    return []
  }
  return { session: { query } as unknown as PostgresSession, asked }
}

test('columns are added and widened by one statement, and by none where the types in the database stay', async () => {
  const { session, asked } = noting()
  await alterTable(session, 't', { added: [], widened: [] })
  await alterTable(session, 't', {
    added: [],
    widened: [{ column: column('n', 'bigint'), from: 'int', wasUsed: true }],
  })
  assert.deepEqual(asked, [])
  await alterTable(session, 't', {
    added: [column('a', 'json'), column('b"c', 'text')],
    widened: [
      { column: column('n', 'decimal'), from: 'bigint', wasUsed: true },
      { column: column('m', 'text'), from: 'json', wasUsed: false },
    ],
  })
  assert.deepEqual(asked, [
    'ALTER TABLE t ADD COLUMN "a" jsonb, ADD COLUMN "b""c" text, ' +
      'ALTER COLUMN "n" TYPE numeric USING "n"::numeric, ALTER COLUMN "m" TYPE text USING NULL',
  ])
})

test('only rows that are to be merged are numbered', async () => {
  const { session, asked } = noting()
  await createTable(session, 't', [column('id', 'int')], { isOrdered: true })
  await createTable(session, 't', [], { isOrdered: false })
  const [ordered, plain] = asked
  assert.match(ordered ?? '', /^CREATE TABLE t \("id" bigint, .* GENERATED ALWAYS AS IDENTITY\)$/)
  assert.doesNotMatch(plain ?? '', /IDENTITY/)
})
