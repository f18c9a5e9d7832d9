/** The schedule of a connection, its next time and its last run. */
import { z } from 'zod'
import { connectorName } from './connector.ts'

export const connectionName = connectorName.describe('The name of the connection and of its folder.')

export const scheduleRequest = z
  .strictObject({
    every: z.string().optional().describe('A number and a unit: 30s, 15m, 1h, 1d, 1w.'),
    cron: z.string().optional().describe('Minute, hour, day of month, month, day of week. Instead of `every`.'),
    timezone: z.string().optional().describe('Of `cron`, as in the IANA database; UTC when absent.'),
    webhook: z
      .string()
      .refine((text) => !text.includes('${') && !text.startsWith('file:'), 'references belong in the file')
      .optional()
      .describe('Receives the result of every run, as JSON. An address; references can be written in the file only.'),
  })
  .meta({ id: 'ScheduleRequest' })

const failure = z.object({ code: z.string(), message: z.string(), hint: z.string() })

const scheduledRun = z
  .object({
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
    status: z
      .enum(['running', 'complete', 'incomplete', 'held', 'failed', 'interrupted', 'cancelled', 'busy'])
      .describe('`busy`: another sync of the connection was running, so nothing was done.'),
    exitStatus: z
      .number()
      .int()
      .nullable()
      .describe('What `turnleaf sync` would have exited with; null while it runs.'),
    run: z.string().nullable().describe('The name of the run in the destination.'),
    error: failure.nullable(),
  })
  .meta({ id: 'ScheduledRun' })

export const schedule = z
  .object({
    connection: connectionName,
    every: z.string().nullable(),
    cron: z.string().nullable(),
    timezone: z.string().nullable(),
    webhook: z.string().nullable().describe('A reference, or the host only.'),
    isPaused: z.boolean(),
    nextAt: z.iso
      .datetime()
      .nullable()
      .describe('Null while it is paused. In the past: it starts as soon as possible.'),
    failures: z.number().int().describe('Failed runs in a row: the next run waits longer for them.'),
    last: scheduledRun.nullable(),
    problem: failure.nullable().describe('Why the file of the connection cannot be read.'),
  })
  .meta({ id: 'Schedule' })

export const runner = z
  .enum(['here', 'another-process', 'none'])
  .describe('Which process starts them: this server, another `turnleaf serve` with the same home, or none.')

export type WiredSchedule = z.infer<typeof schedule>
export type ScheduleRequest = z.infer<typeof scheduleRequest>
export type Runner = z.infer<typeof runner>
