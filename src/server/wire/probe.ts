/** A request of detection or diagnosis, as shown. */
import { z } from 'zod'

export const probe = z
  .object({
    why: z.string().describe('Its purpose.'),
    method: z.string(),
    url: z.string().describe('Without secrets.'),
    sent: z.string().optional().describe('Headers and body, without secrets.'),
    status: z.number().int().nullable().describe('Null when there was no response.'),
    saw: z.string().describe('The result, in words.'),
  })
  .meta({ id: 'Probe' })

export const probed = z.object({ kind: z.literal('probe'), probe })

/** Sent when there was no other event for a while, so that connections are kept and people see progress. */
export const stillWorking = z.object({ kind: z.literal('waiting') })

export type Probe = z.infer<typeof probe>
