/** Past and running syncs of a connector, however they were started. */
import { z } from 'zod'
import { connectorName } from './connector.ts'
import { verdict } from './receipt.ts'

const status = z
  .enum(['running', 'complete', 'incomplete', 'held', 'failed', 'interrupted', 'unfinished'])
  .describe('`unfinished`: it runs in another process, or was interrupted. `running`: it runs in this server.')

/** A receipt as in the library; these members are always there. */
const receipt = z
  .object({
    stream: z.string(),
    ending: z.enum(['complete', 'incomplete', 'held', 'failed', 'cancelled']),
    pages: z.number().int(),
    records: z.number().int(),
    verdict,
    reason: z.string(),
    tookMs: z.number(),
  })
  .loose()

const streamProgress = z.object({
  stream: z.string(),
  pages: z.number().int(),
  records: z.number().int(),
})

const connectorRun = z
  .object({
    run: z.string().describe('Its name in the destination.'),
    connection: z.string().describe('The name that states and tables are stored under.'),
    destination: z.string().describe('Names the destination in other requests.'),
    to: z.string().describe('The address of the destination, without a password.'),
    sync: z.string().nullable().describe('The sync of this server, whose events can be followed; null for others.'),
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
    attempts: z.number().int().describe('More than one where it was interrupted and resumed.'),
    status,
    streams: z.array(receipt).describe('Receipts of the streams that were read.'),
    progress: z.array(streamProgress).describe('What is committed of streams that a run is still reading.'),
  })
  .meta({ id: 'ConnectorRun' })

export const connectorRuns = z
  .object({
    runs: z.array(connectorRun).describe('Newest first, of every destination.'),
    total: z.number().int().describe('How many there are; the list has the first of them.'),
    unreadable: z
      .array(z.object({ to: z.string(), code: z.string(), detail: z.string() }))
      .describe('Destinations whose runs cannot be seen now, and why.'),
  })
  .meta({ id: 'ConnectorRuns' })

export const latestRun = z
  .object({
    connector: connectorName,
    to: z.string(),
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
    status,
    verdict: verdict.nullable().describe('The worst of its streams; null where none was read.'),
    records: z.number().int(),
  })
  .meta({ id: 'LatestRun' })

export type ConnectorRun = z.infer<typeof connectorRun>
export type ConnectorRuns = z.infer<typeof connectorRuns>
export type LatestRun = z.infer<typeof latestRun>
