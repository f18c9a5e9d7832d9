/** A request that was sent to find something out, as people are shown it. */
import { z } from 'zod'

export const probe = z
  .object({
    why: z.string().describe('What it was to find out.'),
    method: z.string(),
    url: z.string().describe('Without secrets.'),
    sent: z
      .string()
      .optional()
      .describe('What of the request the address does not show: headers, a body. Without secrets.'),
    status: z.number().int().nullable().describe('Null when no answer came.'),
    saw: z.string().describe('What came back, in words.'),
  })
  .meta({ id: 'Probe' })

/** It happened just now. */
export const probed = z.object({ kind: z.literal('probe'), probe })

/** Sent when nothing else was for a while, so that connections stay and people see that time passes. */
export const stillWorking = z.object({ kind: z.literal('waiting') })

export type Probe = z.infer<typeof probe>
