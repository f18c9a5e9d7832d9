/** A template and a captured page → the value, as Python would have it. */
import { z } from 'zod'
import { config } from './inspection.ts'

export const evaluationRequest = z
  .object({
    template: z.string().max(100_000),
    as: z
      .enum(['string', 'boolean', 'param', 'header', 'json'])
      .default('string')
      .describe('What the field does with the value.'),
    config: config.default({}),
    page: z
      .object({ read: z.string(), slice: z.number().int(), page: z.number().int() })
      .optional()
      .describe('A page of a test read: gives response, headers, last_record, last_page_size and next_page_token.'),
    context: z.record(z.string(), z.unknown()).default({}).describe('Further names; they win over those of the page.'),
  })
  .meta({ id: 'EvaluationRequest' })

export const evaluation = z
  .object({
    value: z.unknown(),
    type: z.string().describe('Python’s name for it: str, int, float, bool, NoneType, list, dict.'),
    repr: z.string().describe('As Python would print it; long values are cut.'),
  })
  .meta({ id: 'Evaluation' })

/** The names that a template may use there, with what they hold, for completion. */
export const templateContext = z
  .object({
    names: z.array(z.object({ name: z.string(), type: z.string(), sample: z.string() })),
    functions: z.array(z.string()),
    filters: z.array(z.string()),
  })
  .meta({ id: 'TemplateContext' })

export type EvaluationRequest = z.input<typeof evaluationRequest>
export type Evaluation = z.infer<typeof evaluation>
export type TemplateContext = z.infer<typeof templateContext>
