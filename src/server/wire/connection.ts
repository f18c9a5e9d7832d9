/** A connection of a connector: what a schedule syncs. */
import { z } from 'zod'
import { requirements } from '../../proof/verdict/verdict-name.ts'
import { config } from './inspection.ts'
import { connectionName, scheduleRequest } from './schedule.ts'
import { syncMode, syncRequest } from './sync.ts'

export const connectionRequest = z
  .strictObject({
    name: connectionName.optional().describe('That of the connector when absent.'),
    config: config.default({}).describe('As for a sync. References are refused: they belong in the file.'),
    to: syncRequest.shape.to,
    streams: z.array(z.string()).min(1).optional().describe('All when absent.'),
    mode: z.record(z.string(), syncMode).optional().describe('By stream. Chosen per stream when absent.'),
    require: syncRequest.shape.require,
    secrets: z
      .enum(['environment', 'files'])
      .default('environment')
      .describe(
        'Where a run gets the secrets of the config: from environment variables of the server, whose names the response has, or from files in the folder of the connection, readable by their owner only.',
      ),
    schedule: scheduleRequest.optional().describe('When it is synced. Where it is wrong, no connection is created.'),
  })
  .meta({ id: 'ConnectionRequest' })

export const savedConnection = z
  .object({
    name: connectionName,
    file: z.string().describe('Its file, from TURNLEAF_HOME.'),
    to: z
      .string()
      .nullable()
      .describe('Where it writes, from TURNLEAF_HOME, or a reference; null for the default destination.'),
    streams: z.array(z.string()).nullable().describe('Null for all.'),
    require: z.enum(requirements),
    isScheduled: z.boolean(),
    missing: z.array(z.string()).describe('Environment variables that a run needs and the server does not have.'),
  })
  .meta({ id: 'SavedConnection' })

export type ConnectionRequest = z.input<typeof connectionRequest>
export type SavedConnection = z.infer<typeof savedConnection>
