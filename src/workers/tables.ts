/** Our own tables next to the queue: the progress of jobs, schedules, and how many slices streams had. */
import { takeTurn } from '../destinations/postgres/lock.ts'
import { ConnectorError } from '../std/errors.ts'
import type { QueueDatabase } from './database.ts'

export const ownSchema = 'turnleaf_workers'

/**
 * Raised with a change that older versions must not work with: they refuse to start then. What they can ignore, such as a
 * table, an index, or a column with a default, is added without raising it: every statement names its columns.
 */
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
  CREATE INDEX ON ${ownSchema}.progress (written_at);
  CREATE TABLE ${ownSchema}.schedules (
    connection text COLLATE "C" PRIMARY KEY,
    schedule jsonb NOT NULL,
    state jsonb,
    next_at timestamptz
  );
  CREATE INDEX ON ${ownSchema}.schedules (next_at);
  CREATE TABLE ${ownSchema}.slices (
    connection text COLLATE "C",
    stream text COLLATE "C",
    slices int NOT NULL,
    PRIMARY KEY (connection, stream)
  )`

/** Creates them where there are none; throws `workers/queue-version` where they are newer. */
export async function prepareTables({ query, transaction, address }: QueueDatabase): Promise<void> {
  const known = async (ask: typeof query) => {
    const [row] = await ask('SELECT to_regclass($1) IS NOT NULL AS known', [`${ownSchema}.version`])
    return row?.known === true
  }
  if (!(await known(query))) {
    await transaction(async (session) => {
      // Two workers may start at the same time.
      await takeTurn(session.query, ownSchema)
      if (!(await known(session.query))) await session.query(statements)
    })
  }
  const [row] = await query(`SELECT version FROM ${ownSchema}.version`)
  const found = Number(row?.version)
  if (found === version) return
  throw new ConnectorError(
    'workers/queue-version',
    `The tables of the workers in ${address} have version ${found}; this Turnleaf writes version ${version}.`,
  )
}
