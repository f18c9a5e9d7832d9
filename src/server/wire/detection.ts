/** Detection of the pagination of a URL, or of the first request of a stream, probe by probe. */
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
    json: z.unknown().optional().describe('Sent with every probe, with pagination values added.'),
    form: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'AddressToDetect' })

const streamToDetect = z
  .object({
    text: z.string().describe('The manifest, YAML or JSON, saved or not.'),
    connector: connectorName.optional().describe('The connector with the custom classes; without it none are loaded.'),
    config: config.default({}),
    stream: z.string().describe('Requested as the manifest specifies, with credentials, but without its paginator.'),
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
      .describe('Confirmed by a probe; consistent with all responses; suggested by a name only.'),
    evidence: z.array(z.string()),
    paginator: z.record(z.string(), z.unknown()).nullable().describe('As in a manifest; null for no pagination.'),
    facts: z.object({
      token: placed.describe('The placement of the token; null where a URL is followed.'),
      size: placed,
      firstPage: z.number().int().nullable(),
      pageSize: z.number().int().nullable(),
      sizeCap: z.number().int().nullable().describe('The largest page size of the API, where it has a limit.'),
      cursorAt: z.string().nullable(),
      stops: z.string().describe('In words: when pagination stops.'),
    }),
    template: templated.optional().describe('A template of the request for a token that no option can place.'),
    firstOnly: z
      .array(z.string())
      .optional()
      .describe('Query parameters that the API refuses on later pages: only the first request may have them.'),
    without: z
      .array(
        z.object({
          into: z.enum(['request_parameter', 'header', 'body_json', 'body_data', 'path']),
          path: z.array(z.string()),
        }),
      )
      .optional()
      .describe('Pagination values of the given request, which must be removed from it.'),
  })
  .meta({ id: 'Candidate' })

export const detection = z
  .object({
    answer: z.enum(['paginated', 'not-paginated', 'cannot-tell']),
    says: z.string(),
    recordPath: z.array(z.string()).nullable().describe('The path of the records; null when no list was found.'),
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
