/** Our own tables next to the queue: the progress of jobs, schedules, and how many slices streams had. */
import { takeTurn } from '../destinations/postgres/lock.ts'
import { ConnectorError } from '../std/errors.ts'
import type { Query, QueueDatabase } from './database.ts'

export const ownSchema = 'turnleaf_workers'

/** Raised with a change that older versions must not work with: they refuse to start then. */
const version = 1

const statements = `
  CREATE SCHEMA IF NOT EXISTS ${ownSchema};
  CREATE TABLE ${ownSchema}.version (version int NOT NULL);
  INSERT INTO ${ownSchema}.version VALUES (${version});
  CREATE SEQUENCE ${ownSchema}.progress_order;
  CREATE TABLE ${ownSchema}.progress (
    job uuid NOT NULL,
    key text NOT NULL,
    attempt int NOT NULL,
    position bigint NOT NULL,
    written_at timestamptz NOT NULL DEFAULT now(),
    event jsonb NOT NULL,
    PRIMARY KEY (job, key)
  );
  CREATE INDEX ON ${ownSchema}.progress (written_at)`

/**
 * What came later, and older versions can ignore: tables, indexes, columns with a default. Only ever add to this list: what
 * is there has been applied, and is applied once more to tables of versions that did not count it.
 */
const additions: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS ${ownSchema}.schedules (
    connection text COLLATE "C" PRIMARY KEY,
    schedule jsonb NOT NULL,
    state jsonb,
    next_at timestamptz
  );
  CREATE INDEX IF NOT EXISTS schedules_next_at_idx ON ${ownSchema}.schedules (next_at)`,
  `CREATE TABLE IF NOT EXISTS ${ownSchema}.slices (
    connection text COLLATE "C",
    stream text COLLATE "C",
    slices int NOT NULL,
    PRIMARY KEY (connection, stream)
  )`,
]

/** Creates them where there are none, and adds what is missing; throws `workers/queue-version` where they are of another version. */
export async function prepareTables({ query, transaction, address }: QueueDatabase): Promise<void> {
  // Two workers may start at the same time.
  const inTurn = (work: (ask: typeof query) => Promise<void>) =>
    transaction(async (session) => {
      await takeTurn(session.query, ownSchema)
      await work(session.query)
    })
  if (!(await isKnown(query))) {
    await inTurn(async (ask) => {
      if (!(await isKnown(ask))) await ask(statements)
    })
  }
  const found = await foundIn(query)
  if (found.version !== version) {
    throw new ConnectorError(
      'workers/queue-version',
      `The tables of the workers in ${address} have version ${found.version}; this Turnleaf writes version ${version}.`,
    )
  }
  if (found.additions >= additions.length) return
  await inTurn(async (ask) => {
    for (const one of additions) await ask(one)
    await ask(`ALTER TABLE ${ownSchema}.version ADD COLUMN IF NOT EXISTS additions int NOT NULL DEFAULT 0`)
    await ask(`UPDATE ${ownSchema}.version SET additions = greatest(additions, $1)`, [additions.length])
  })
}

async function isKnown(query: Query): Promise<boolean> {
  const [row] = await query('SELECT to_regclass($1) IS NOT NULL AS known', [`${ownSchema}.version`])
  return row?.known === true
}

/** Tables of the first versions do not count additions. */
async function foundIn(query: Query): Promise<{ version: number; additions: number }> {
  const [row] = await query(
    `SELECT version, coalesce((to_jsonb(known)->>'additions')::int, 0) AS additions FROM ${ownSchema}.version AS known`,
  )
  return { version: Number(row?.version), additions: Number(row?.additions) }
}
