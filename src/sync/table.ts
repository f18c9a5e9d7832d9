/** A stream's plan → the table its records land in. */
import { ConnectorError } from '../std/errors.ts'
import { schemaOf } from '../engine/opening/open-stream.ts'
import type { JsonSchema } from '../engine/plan/plan.ts'
import type { StreamPlan } from '../engine/plan/stream.ts'
import type { Run } from '../engine/run/run.ts'
import type { Table } from '../destinations/destination.ts'
import type { ChosenStream } from '../protocol/choose-streams.ts'
import { type SyncMode, tableModeOf } from './modes.ts'

export async function tableFor(
  run: Run,
  plan: StreamPlan,
  chosen: ChosenStream,
  mode: SyncMode,
  signal: AbortSignal = new AbortController().signal,
): Promise<Table> {
  const { cursor } = plan.slicing
  const isFree = cursor !== null && cursor.fieldIsFree && chosen.cursorField !== undefined
  return {
    name: plan.name,
    mode: tableModeOf(mode),
    primaryKey: chosen.primaryKey ?? plan.primaryKey,
    cursorField: isFree ? chosen.cursorField : (cursor?.cursorField ?? null),
    schema: await schemaIfKnown(run, plan, signal),
  }
}

/** Without a schema the columns are what the records make them: a file that is missing is no reason to land nothing. */
async function schemaIfKnown(run: Run, plan: StreamPlan, signal: AbortSignal): Promise<JsonSchema | null> {
  try {
    return await schemaOf(run, plan, signal)
  } catch (error) {
    if (!(error instanceof ConnectorError) || !/^(records\/schema-file|plan\/)/.test(error.code)) throw error
    run.report({ kind: 'warning', text: `Its schema is not known, columns follow the records. ${error.message}` })
    return null
  }
}
