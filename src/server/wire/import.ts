/** Import of a description of an API: which streams it has, and the manifest of those that were chosen. */
import { z } from 'zod'

export const importRequest = z
  .object({
    source: z
      .string()
      .min(1)
      .describe('An OpenAPI document, a Postman collection or a HAR file as text; or the URL of an OpenAPI document.'),
    only: z
      .array(z.string())
      .max(5000)
      .optional()
      .describe('Names of the streams to write; without it nothing is written.'),
  })
  .meta({ id: 'ImportRequest' })

const describedStream = z
  .object({
    name: z.string(),
    method: z.string(),
    path: z.string(),
    parent: z.string().nullable().describe('The stream whose records its path needs.'),
    pagination: z.string().describe('What is proposed, in words. The API has not been asked.'),
  })
  .meta({ id: 'DescribedStream' })

export const importResult = z
  .object({
    kind: z.enum(['openapi', 'postman', 'har']),
    title: z.string(),
    name: z.string().describe('A name for the connector.'),
    baseUrl: z.string(),
    authentication: z.string(),
    streams: z.array(describedStream),
    notes: z.array(z.string()),
    manifest: z.string().nullable().describe('YAML, with the chosen streams; null where none were chosen.'),
  })
  .meta({ id: 'ImportResult' })

export type ImportRequest = z.infer<typeof importRequest>
export type ImportResult = z.infer<typeof importResult>
