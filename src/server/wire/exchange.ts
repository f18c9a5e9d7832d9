/** One request and its answer as people are shown them: as sent, secrets hidden. */
import { z } from 'zod'

export const shownRequest = z
  .object({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string().nullable(),
  })
  .meta({ id: 'ShownRequest' })

export const shownResponse = z
  .object({
    status: z.number().int(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    bytes: z.number().int().describe('How long the body was.'),
    body: z.string().describe('JSON text of the decoded body, indented; its beginning where it is long.'),
    isCut: z.boolean().describe('Whether `body` is only the beginning; the rest is at …/body.'),
  })
  .meta({ id: 'ShownResponse' })

export type ShownRequest = z.infer<typeof shownRequest>
export type ShownResponse = z.infer<typeof shownResponse>
