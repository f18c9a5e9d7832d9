/** A diagnosis of a stream: its findings and their fixes, event by event. */
import { z } from 'zod'
import { connectorName } from './connector.ts'
import { config } from './inspection.ts'
import { probe, probed, stillWorking } from './probe.ts'
import { apiProblem } from './problem.ts'
import { streamProof } from './receipt.ts'

export const diagnosisRequest = z
  .object({
    text: z.string().describe('The manifest, YAML or JSON, saved or not.'),
    connector: connectorName.optional().describe('The connector with the custom classes; without it none are loaded.'),
    config: config.default({}),
    stream: z.string(),
    maxPages: z.number().int().min(1).max(100).default(20).describe('The most pages to read.'),
  })
  .meta({ id: 'DiagnosisRequest' })

const evidence = z.object({ says: z.string(), pages: z.array(z.number().int()).describe('Pages of the read, from 1.') })

const manifestEdit = z
  .object({
    path: z
      .array(z.union([z.string(), z.number().int()]))
      .describe('Through the manifest with its references resolved.'),
    value: z.unknown().optional().describe('Absent where the value is removed.'),
  })
  .meta({ id: 'ManifestEdit' })

const fix = z
  .object({
    says: z.string(),
    edits: z.array(manifestEdit),
    retest: z
      .object({
        isFixed: z.boolean(),
        isMended: z
          .boolean()
          .describe('The earlier name of `isFixed`, with the same value.')
          .meta({ deprecated: true }),
        proof: streamProof.nullable(),
        says: z.string(),
      })
      .nullable()
      .describe('What the fixed manifest reads, to its end or up to 100 pages.'),
  })
  .meta({ id: 'Fix' })

export const finding = z
  .object({
    code: z.string().describe('Stable.'),
    title: z.string(),
    fault: z.enum(['manifest', 'api']).describe('Whether the manifest can be changed, or the API causes it.'),
    says: z.string(),
    evidence: z.array(evidence),
    fix: fix.nullable().describe('Null where no change of the manifest helps.'),
    advice: z.string(),
  })
  .meta({ id: 'Finding' })

export const diagnosis = z
  .object({
    stream: z.string(),
    proof: streamProof.nullable().describe('Of the read; null where the first page failed.'),
    error: z
      .object({ code: z.string(), message: z.string(), hint: z.string() })
      .nullable()
      .describe('The error that ended the read; null when there was none.'),
    isCut: z.boolean().describe('Whether the read ended at the page limit; later pages were not read.'),
    findings: z.array(finding).describe('The most important first; empty where nothing is wrong.'),
    probes: z.array(probe).describe('Additional requests.'),
  })
  .meta({ id: 'Diagnosis' })

/** A page was read. */
const pageRead = z.object({
  kind: z.literal('page'),
  page: z.number().int().describe('From 1.'),
  received: z.number().int(),
})

const diagnosed = z.object({
  kind: z.literal('end'),
  diagnosis: diagnosis.nullable(),
  problem: apiProblem.nullable().describe('Why there is no diagnosis.'),
})

export const diagnosisEvent = z
  .discriminatedUnion('kind', [pageRead, probed, stillWorking, diagnosed])
  .meta({ id: 'DiagnosisEvent' })

export type DiagnosisRequest = z.input<typeof diagnosisRequest>
export type DiagnosisEvent = z.infer<typeof diagnosisEvent>
export type Diagnosis = z.infer<typeof diagnosis>
export type Finding = z.infer<typeof finding>
