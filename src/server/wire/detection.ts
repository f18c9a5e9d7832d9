/** An address, or the first request of a stream → how its pages follow each other, probe by probe. */
import { z } from 'zod'
import { connectorName } from './connector.ts'
import { config } from './inspection.ts'
import { probe, probed, stillWorking } from './probe.ts'
import { apiProblem } from './problem.ts'

const addressToDetect = z
  .object({
    url: z.string(),
    method: z.enum(['GET', 'POST']).optional().describe('POST where a body is given, otherwise GET.'),
    headers: z.record(z.string(), z.string()).optional(),
    json: z.unknown().optional().describe('Sent with every probe; paging values are put into it.'),
    form: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'AddressToDetect' })

const streamToDetect = z
  .object({
    text: z.string().describe('The manifest, YAML or JSON, saved or not.'),
    connector: connectorName.optional().describe('Where its own classes are; without it none are loaded.'),
    config: config.default({}),
    stream: z.string().describe('Asked as the manifest says, credentials included, but without its paginator.'),
  })
  .meta({ id: 'StreamToDetect' })

export const detectionRequest = z.union([streamToDetect, addressToDetect]).meta({ id: 'DetectionRequest' })

const placed = z
  .object({ into: z.enum(['request_parameter', 'header', 'body_json', 'body_data', 'path']), name: z.string() })
  .nullable()

const templated = z.discriminatedUnion('into', [
  z.object({ into: z.literal('path'), fromEnd: z.number().int(), text: z.string() }),
  z.object({ into: z.literal('request_parameter'), name: z.string(), text: z.string() }),
  z.object({ into: z.literal('request_parameters'), names: z.array(z.string()), text: z.string() }),
])

const candidate = z
  .object({
    method: z.enum(['offset', 'page', 'cursor', 'next-url', 'link-header', 'start-after', 'none']),
    says: z.string(),
    confidence: z
      .enum(['shown', 'likely', 'possible'])
      .describe('A probe answered as only this explains; it fits all that was seen; by its name alone.'),
    evidence: z.array(z.string()),
    paginator: z.record(z.string(), z.unknown()).nullable().describe('As a manifest has it; null for no pagination.'),
    facts: z.object({
      token: placed.describe('Where the token goes; null where a whole URL is followed.'),
      size: placed,
      firstPage: z.number().int().nullable(),
      pageSize: z.number().int().nullable(),
      sizeCap: z.number().int().nullable().describe('The most the API gives at once, where it was seen to cap.'),
      cursorAt: z.string().nullable(),
      stops: z.string().describe('In words: when no further page is asked for.'),
    }),
    template: templated.optional().describe('A template of the request that puts the token where no option can.'),
    without: z
      .array(
        z.object({
          into: z.enum(['request_parameter', 'header', 'body_json', 'body_data', 'path']),
          path: z.array(z.string()),
        }),
      )
      .optional()
      .describe('Paging values of the request as it was given: they have to go from it.'),
  })
  .meta({ id: 'Candidate' })

export const detection = z
  .object({
    answer: z.enum(['paginated', 'not-paginated', 'cannot-tell']),
    says: z.string(),
    recordPath: z.array(z.string()).nullable().describe('Where the records are; null when no list was found.'),
    candidates: z.array(candidate).describe('The best first.'),
    probes: z.array(probe),
    manifest: z.string().nullable().describe('The best candidate as a manifest, YAML.'),
  })
  .meta({ id: 'Detection' })

const detected = z.object({
  kind: z.literal('end'),
  detection: detection.nullable(),
  problem: apiProblem.nullable().describe('Why there is no detection.'),
})

export const detectionEvent = z
  .discriminatedUnion('kind', [probed, stillWorking, detected])
  .meta({ id: 'DetectionEvent' })

export type DetectionRequest = z.input<typeof detectionRequest>
export type DetectionEvent = z.infer<typeof detectionEvent>
export type Detection = z.infer<typeof detection>
export type Candidate = z.infer<typeof candidate>
