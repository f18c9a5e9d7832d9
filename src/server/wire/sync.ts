/** A sync run from the builder: a saved connector into the embedded database, event by event; and a look at what landed. */
import { z } from 'zod'
import { connectorName } from './connector.ts'
import { config } from './inspection.ts'
import { apiProblem } from './problem.ts'

export const syncRequest = z
  .object({
    connector: connectorName,
    config: config.default({}),
    streams: z.array(z.string()).optional().describe('All when absent.'),
    isFresh: z.boolean().default(false).describe('Forget where earlier syncs stopped.'),
  })
  .meta({ id: 'SyncRequest' })

export const syncRun = z
  .object({
    id: z.string(),
    connector: connectorName,
    to: z.string(),
    startedAt: z.iso.datetime(),
    status: z.enum(['running', 'complete', 'failed', 'interrupted']),
    problem: apiProblem.nullable(),
  })
  .meta({ id: 'SyncRun' })

export const syncProgress = z
  .record(z.string(), z.unknown())
  .describe('An event of a sync as the library tells it (`kind`: run-started, stream-started, page, committed, …).')
  .meta({ id: 'SyncProgress' })

export const queryRequest = z
  .object({ sql: z.string().min(1).max(100_000), limit: z.number().int().min(1).max(10_000).default(200) })
  .meta({ id: 'QueryRequest' })

export const queryAnswer = z
  .object({
    columns: z.array(z.string()),
    rows: z.array(z.array(z.unknown())),
    isCut: z.boolean().describe('There are more rows than the limit.'),
  })
  .meta({ id: 'QueryAnswer' })

export type SyncRequest = z.input<typeof syncRequest>
export type SyncRun = z.infer<typeof syncRun>
export type QueryRequest = z.input<typeof queryRequest>
export type QueryAnswer = z.infer<typeof queryAnswer>
