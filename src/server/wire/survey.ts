/** A stream against an API that misbehaves → which faults it survives, fault by fault. No API is asked. */
import { z } from 'zod'
import { connectorName } from './connector.ts'
import { config } from './inspection.ts'
import { stillWorking } from './probe.ts'
import { apiProblem } from './problem.ts'
import { verdict } from './receipt.ts'

export const surveyRequest = z
  .object({
    text: z.string().describe('The manifest, YAML or JSON, saved or not.'),
    connector: connectorName.optional().describe('Where its own classes are; without it none are loaded.'),
    config: config.default({}).describe('Values that are missing are made up.'),
    stream: z.string(),
  })
  .meta({ id: 'SurveyRequest' })

const outcome = z
  .enum(['survives', 'tells', 'is fooled', 'does not apply'])
  .describe(
    'Every record came; something went wrong and the read says so; something went wrong and nothing says so; the fault makes no sense here.',
  )

const int = z.number().int()

export const surveyResult = z
  .object({
    stream: z.string(),
    fault: z.string().describe('By its name in the lab.'),
    does: z.string().describe('What the API does.'),
    outcome,
    says: z.string().describe('What happened, or why the fault does not apply.'),
    expected: int.describe('Records that the API had when the walk began.'),
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
    ifCounted: outcome
      .nullable()
      .describe('Of one that is fooled: what would have happened had the API counted its records.'),
  })
  .meta({ id: 'SurveyResult' })

const found = z.object({ kind: z.literal('result'), result: surveyResult })

const surveyed = z.object({
  kind: z.literal('end'),
  skipped: z.array(z.object({ stream: z.string(), why: z.string() })).describe('A stream that cannot be surveyed.'),
  problem: apiProblem.nullable().describe('Why the survey broke off.'),
})

export const surveyEvent = z.discriminatedUnion('kind', [found, stillWorking, surveyed]).meta({ id: 'SurveyEvent' })

export type SurveyEvent = z.infer<typeof surveyEvent>
export type SurveyResult = z.infer<typeof surveyResult>
