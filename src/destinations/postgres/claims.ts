/**
 * Claims: who may write. Taking one raises its epoch; every commit checks, in its own transaction, that no one has raised
 * it since. A process that was paused and wakes up is refused, whatever locks, queues and clocks say.
 */
import type { Claim, HeldClaim } from '../destination.ts'
import { ConnectorError } from '../../std/errors.ts'
import type { PostgresSession } from './session.ts'
import { quoted, storable } from './sql.ts'

export function claimsTable(schema: string): string {
  return `${quoted(schema)}."_turnleaf_claims"`
}

export async function createClaims({ query, schema }: PostgresSession): Promise<void> {
  await query(`
    CREATE TABLE ${claimsTable(schema)} (connection text COLLATE "C", name text COLLATE "C", epoch bigint NOT NULL);
    CREATE UNIQUE INDEX ON ${claimsTable(schema)} (connection, (md5(name)))`)
}

/** Checkpoints must be read after this. Waits for a commit of the one who has it. */
export async function takeClaim(
  { query, schema }: PostgresSession,
  connection: string,
  { name }: Claim,
): Promise<HeldClaim> {
  const [row] = await query(
    `INSERT INTO ${claimsTable(schema)} AS claims (connection, name, epoch) VALUES ($1, $2, 1)
     ON CONFLICT (connection, md5(name)) DO UPDATE SET epoch = claims.epoch + 1 RETURNING epoch`,
    [connection, storable(name)],
  )
  return { name, epoch: Number(row?.epoch) }
}

/** Throws `destinations/taken-over` unless all are held still; within a transaction, none can be taken before its end. */
export async function assertHeld(
  { query, schema, address }: PostgresSession,
  connection: string,
  held: readonly HeldClaim[],
): Promise<void> {
  const each = held.map((_, index) => `(name = $${2 * index + 2} AND epoch = $${2 * index + 3})`)
  const rows = await query(
    `SELECT FROM ${claimsTable(schema)} WHERE connection = $1 AND (${each.join(' OR ')}) FOR SHARE`,
    [connection, ...held.flatMap(({ name, epoch }) => [storable(name), epoch])],
  )
  if (rows.length < held.length) throw takenOver(address, connection)
}

function takenOver(address: string, connection: string): ConnectorError {
  return new ConnectorError(
    'destinations/taken-over',
    `Another process has taken over the sync of the connection "${connection}" to ${address}. This one wrote nothing since.`,
  )
}
