/** A sync of a saved connector, event by event; held rows, tables and queries. */
import { z } from 'zod'
import { requirements } from '../../proof/verdict/verdict-name.ts'
import { syncModes } from '../../sync/mode-names.ts'
import { connectorName } from './connector.ts'
import { config } from './inspection.ts'
import { apiProblem } from './problem.ts'

export const syncMode = z.enum(syncModes)

export const syncRequest = z
  .object({
    connector: connectorName,
    config: config.default({}),
    to: z
      .string()
      .max(2000)
      .optional()
      .describe(
        'Where to: `duckdb:FILE`, `parquet:FOLDER` or `jsonl:FOLDER`, from TURNLEAF_HOME and inside of it; `postgres://…`, which is kept in memory only; or `${NAME}`, an environment variable of the server with such an address. The embedded database when absent.',
      ),
    streams: z.array(z.string()).optional().describe('All when absent.'),
    mode: z
      .union([syncMode, z.record(z.string(), syncMode)])
      .optional()
      .describe('One for all streams, or by stream, `*` for the others. Chosen per stream when absent.'),
    isFresh: z.boolean().default(false).describe('Ignore earlier syncs.'),
    require: z
      .enum(requirements)
      .default('unproven')
      .describe('A full refresh below this verdict does not replace a table that has rows.'),
    acceptDrop: z.boolean().default(false).describe('Replace tables even then.'),
    prefetch: z
      .union([z.enum(['auto', 'off']), z.number().int().min(1)])
      .default('auto')
      .describe('How many pages are requested ahead.'),
    concurrency: z.number().int().min(1).optional().describe('How many slices are read, and requests sent, at a time.'),
    streamsAtOnce: z.number().int().min(1).optional().describe('How many streams are read at a time.'),
  })
  .meta({ id: 'SyncRequest' })

export const syncRun = z
  .object({
    id: z.string(),
    connector: connectorName,
    to: z.string().describe('The address of the destination, without a password.'),
    destination: z.string().describe('Names the destination in other requests.'),
    run: z.string().nullable().describe('The name of the run in the destination; null until it has one.'),
    startedBy: z.enum(['request', 'schedule']),
    startedAt: z.iso.datetime(),
    status: z.enum(['running', 'complete', 'incomplete', 'held', 'failed', 'interrupted']),
    problem: apiProblem.nullable(),
  })
  .meta({ id: 'SyncRun' })

/** Rows that a sync held back instead of replacing a table. */
export const heldStream = z
  .object({
    schema: z.string().describe('The schema of the connector: of its name, or of the one it had first.'),
    stream: z.string(),
    destination: z.string().describe('Names the destination in the request that publishes them.'),
    to: z.string().describe('The address of the destination, without a password.'),
    isEmbedded: z.boolean().describe('Whether it is the embedded database.'),
    run: z.string().describe('The run that read them.'),
    reason: z.string().describe('Why the table was not replaced.'),
    staged: z.number().int().describe('Rows that were read.'),
    existing: z.number().int().describe('Rows that the table has.'),
    stagedAs: z
      .string()
      .nullable()
      .describe('The table of the staged rows, in the schema of the connector; null where there are none.'),
  })
  .meta({ id: 'HeldStream' })

export const publishRequest = z
  .object({
    stream: z.string(),
    destination: z.string().optional().describe('As in the list of held rows; the embedded database when absent.'),
  })
  .meta({ id: 'PublishRequest' })

export const published = z
  .object({
    stream: z.string(),
    run: z.string(),
    before: z.number().int().describe('Rows of the table before.'),
    after: z.number().int(),
  })
  .meta({ id: 'Published' })

/** An event of a sync as in the library, except that pages are summed up as `progress`, and complete slices are left out. */
export const syncNews = z
  .object({
    kind: z.enum([
      'run-started',
      'stream-started',
      'progress',
      'slice-ended',
      'committed',
      'notice',
      'stream-ended',
      'stream-skipped',
      'run-ended',
      'waiting',
    ]),
  })
  .loose()
  .meta({ id: 'SyncNews' })

/** The progress of a stream, with earlier runs of the same read. */
export type SyncProgress = {
  readonly kind: 'progress'
  readonly stream: string
  readonly pages: number
  readonly records: number
  /** How many records there are, where the API reports it. */
  readonly total: number | null
}

export const queryRequest = z
  .object({ sql: z.string().min(1).max(100_000), limit: z.number().int().min(1).max(10_000).default(200) })
  .meta({ id: 'QueryRequest' })

export const table = z
  .object({
    schema: z.string(),
    name: z.string(),
    rows: z.number().int().describe('As estimated by DuckDB.'),
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
  })
  .meta({ id: 'Table' })

export const queryAnswer = z
  .object({
    columns: z.array(z.string()),
    rows: z.array(z.array(z.unknown())),
    isCut: z.boolean().describe('There are more rows than the limit.'),
  })
  .meta({ id: 'QueryAnswer' })

export type SyncRequest = z.input<typeof syncRequest>
export type HeldStream = z.infer<typeof heldStream>
export type Published = z.infer<typeof published>
export type SyncRun = z.infer<typeof syncRun>
export type QueryRequest = z.input<typeof queryRequest>
export type QueryAnswer = z.infer<typeof queryAnswer>
export type LandedTable = z.infer<typeof table>
