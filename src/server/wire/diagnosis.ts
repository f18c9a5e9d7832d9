/** A stream that goes wrong → what is wrong with it, and the change that mends it, probe by probe. */
import { z } from 'zod'
import { connectorName } from './connector.ts'
import { config } from './inspection.ts'
import { probe, probed, stillWorking } from './probe.ts'
import { apiProblem } from './problem.ts'
import { streamProof } from './receipt.ts'

export const diagnosisRequest = z
  .object({
    text: z.string().describe('The manifest, YAML or JSON, saved or not.'),
    connector: connectorName.optional().describe('Where its own classes are; without it none are loaded.'),
    config: config.default({}),
    stream: z.string(),
    maxPages: z.number().int().min(1).max(100).default(20).describe('Of the walk that is looked at.'),
  })
  .meta({ id: 'DiagnosisRequest' })

const evidence = z.object({ says: z.string(), pages: z.array(z.number().int()).describe('Of the walk, from 1.') })

const manifestEdit = z
  .object({
    path: z
      .array(z.union([z.string(), z.number().int()]))
      .describe('Through the manifest with its references resolved.'),
    value: z.unknown().optional().describe('Absent where what stands there is taken out.'),
  })
  .meta({ id: 'ManifestEdit' })

const fix = z
  .object({
    says: z.string(),
    edits: z.array(manifestEdit),
    retest: z
      .object({ isMended: z.boolean(), proof: streamProof.nullable(), says: z.string() })
      .nullable()
      .describe('What the changed manifest reads, to its end, or up to 100 pages.'),
  })
  .meta({ id: 'Fix' })

export const finding = z
  .object({
    code: z.string().describe('Stable.'),
    title: z.string(),
    fault: z
      .enum(['manifest', 'api'])
      .describe('What the manifest says can be changed, what the API does only be lived with.'),
    says: z.string(),
    evidence: z.array(evidence),
    fix: fix.nullable().describe('Null where no change of the manifest would help.'),
    advice: z.string(),
  })
  .meta({ id: 'Finding' })

export const diagnosis = z
  .object({
    stream: z.string(),
    proof: streamProof.nullable().describe('Of the walk that was looked at; null where not even a first page came.'),
    error: z
      .object({ code: z.string(), message: z.string(), hint: z.string() })
      .nullable()
      .describe('Why the walk ended with an error; null when it did not.'),
    isCut: z.boolean().describe('Whether the walk ended at the limit of pages: what is behind it was not seen.'),
    findings: z
      .array(finding)
      .describe('The most telling one first; empty where nothing is wrong as far as can be seen.'),
    probes: z.array(probe).describe('Requests that were sent besides the walk.'),
  })
  .meta({ id: 'Diagnosis' })

/** A page of the walk came. */
const walked = z.object({
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
  .discriminatedUnion('kind', [walked, probed, stillWorking, diagnosed])
  .meta({ id: 'DiagnosisEvent' })

export type DiagnosisRequest = z.input<typeof diagnosisRequest>
export type DiagnosisEvent = z.infer<typeof diagnosisEvent>
export type Diagnosis = z.infer<typeof diagnosis>
export type Finding = z.infer<typeof finding>
