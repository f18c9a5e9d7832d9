/** A survey of a stream against a local API with faults, result by result. */
import { z } from 'zod'
import { connectorName } from './connector.ts'
import { config } from './inspection.ts'
import { stillWorking } from './probe.ts'
import { apiProblem } from './problem.ts'
import { verdict } from './receipt.ts'

export const surveyRequest = z
  .object({
    text: z.string().describe('The manifest, YAML or JSON, saved or not.'),
    connector: connectorName.optional().describe('The connector with the custom classes; without it none are loaded.'),
    config: config.default({}).describe('Missing values are generated.'),
    stream: z.string(),
  })
  .meta({ id: 'SurveyRequest' })

const outcome = z
  .enum(['survives', 'reports', 'misses', 'does not apply'])
  .describe(
    'Every record was read; something went wrong and the read reports it; something went wrong unnoticed; the fault does not apply.',
  )

const int = z.number().int()

const surveyResult = z
  .object({
    stream: z.string(),
    fault: z.string().describe('By its name in the lab.'),
    does: z.string().describe('What the API does.'),
    outcome,
    says: z.string().describe('What happened, or why the fault does not apply.'),
    expected: int.describe('Records that the API had at the start of the read.'),
    missing: int,
    doubled: int,
    requests: int,
    verdict: z
      .object({ verdict, reason: z.string(), at: z.string().optional(), pagesWithoutList: z.number().int().optional() })
      .nullable()
      .describe('Of the receipt; null where the read failed.'),
    error: z
      .object({ code: z.string(), message: z.string(), hint: z.string() })
      .nullable()
      .describe('Why the read failed; null where it did not.'),
    ifCounted: outcome.nullable().describe('For `misses`: the outcome if the API reported a total.'),
  })
  .meta({ id: 'SurveyResult' })

const found = z.object({ kind: z.literal('result'), result: surveyResult })

const surveyed = z.object({
  kind: z.literal('end'),
  skipped: z.array(z.object({ stream: z.string(), why: z.string() })).describe('Streams that cannot be surveyed.'),
  problem: apiProblem.nullable().describe('Why the survey failed.'),
})

export const surveyEvent = z.discriminatedUnion('kind', [found, stillWorking, surveyed]).meta({ id: 'SurveyEvent' })

export type SurveyEvent = z.infer<typeof surveyEvent>
export type SurveyResult = z.infer<typeof surveyResult>
