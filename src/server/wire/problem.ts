/** Problems: RFC 9457 for a request, and the list of a manifest's problems. */
import { z } from 'zod'

export const place = z
  .object({
    pointer: z.string().describe('JSON pointer into the manifest as written.'),
    file: z.string().optional(),
    line: z.number().int().optional(),
    column: z.number().int().optional(),
  })
  .meta({ id: 'Place' })

export const manifestProblem = z
  .object({
    code: z.string().describe('Stable; explained in docs/errors.md.'),
    severity: z.enum(['error', 'warning', 'note']),
    message: z.string(),
    at: place,
    hint: z.string().describe('What to do next.'),
  })
  .meta({ id: 'ManifestProblem' })

export const apiProblem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string().describe('What happened.'),
    code: z.string().optional().describe('Stable; explained in docs/errors.md.'),
    hint: z.string().optional().describe('What to do next.'),
    at: place.optional(),
    problems: z.array(manifestProblem).optional(),
    version: z.string().optional().describe('For a connector that was changed in between: its current version.'),
  })
  .meta({ id: 'Problem' })

export type Place = z.infer<typeof place>
export type ManifestProblem = z.infer<typeof manifestProblem>
export type ApiProblem = z.infer<typeof apiProblem>
