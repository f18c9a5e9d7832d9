/** A template and a captured page → its value, as Python would show it. */
import { z } from 'zod'
import { config } from './inspection.ts'

const capturedPage = z
  .object({ read: z.string(), slice: z.number().int(), page: z.number().int() })
  .describe('A page of a test read: provides response, headers, last_record, last_page_size, next_page_token and more.')

const text = z.string().describe('The manifest: declares which config values are secret, where no page does.')

export const evaluationRequest = z
  .object({
    template: z.string().max(100_000),
    as: z
      .enum(['string', 'boolean', 'param', 'header', 'json'])
      .default('string')
      .describe('How the field uses the value.'),
    config: config.default({}).describe('Takes precedence over the config of the read.'),
    page: capturedPage.optional(),
    context: z
      .record(z.string(), z.unknown())
      .default({})
      .describe('Further names; they take precedence over those of the page.'),
    text: text.optional(),
  })
  .meta({ id: 'EvaluationRequest' })

export const evaluation = z
  .object({
    value: z.unknown().describe('As JSON; the start of it where it is long.'),
    type: z.string().describe('Python’s name for it: str, int, float, bool, NoneType, list, dict.'),
    repr: z.string().describe('As Python would print it; long values are cut.'),
    isCut: z.boolean().describe('Whether value and repr are cut.'),
    isLeftOut: z.boolean().describe('Whether the field sends nothing: a parameter, header or member without a value.'),
  })
  .meta({ id: 'Evaluation' })

export const templateContextRequest = z
  .object({
    place: z.enum(['request', 'pagination', 'record', 'error']).describe('Where in a manifest the template is.'),
    config: config.default({}),
    page: capturedPage.optional(),
    text: text.optional(),
  })
  .meta({ id: 'TemplateContextRequest' })

/** The names that a template can use, with their values, for completion. */
export const templateContext = z
  .object({
    names: z
      .array(
        z.object({
          name: z.string().describe("As a template writes it: `response.data`, `config['start_date']`."),
          type: z.string(),
          sample: z.string(),
        }),
      )
      .describe('Members follow their parents, a few levels deep.'),
    functions: z.array(z.string()),
    filters: z.array(z.string()),
  })
  .meta({ id: 'TemplateContext' })

export type EvaluationRequest = z.input<typeof evaluationRequest>
export type Evaluation = z.infer<typeof evaluation>
export type TemplateContextRequest = z.input<typeof templateContextRequest>
export type TemplateContext = z.infer<typeof templateContext>
