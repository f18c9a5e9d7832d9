/** A request and its response as shown: as sent, without secrets. */
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
    bytes: z.number().int().describe('The length of the body.'),
    body: z.string().describe('JSON text of the decoded body, indented; the start of it where it is long.'),
    isCut: z.boolean().describe('Whether `body` is cut; the rest is at …/body.'),
  })
  .meta({ id: 'ShownResponse' })

export type ShownRequest = z.infer<typeof shownRequest>
export type ShownResponse = z.infer<typeof shownResponse>
