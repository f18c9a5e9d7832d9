/** A manifest as it is being written → its problems, its streams, and a preview of its first requests. */
import { z } from 'zod'
import { connectorName } from './connector.ts'
import { shownRequest } from './exchange.ts'
import { manifestProblem, place } from './problem.ts'

/** Config values. They are never stored. */
export const config = z.record(z.string(), z.unknown()).describe('Values of the inputs that the spec describes.')

export const inspectionRequest = z
  .object({
    text: z.string().describe('The manifest, YAML or JSON.'),
    connector: connectorName.optional().describe('The connector with the custom classes.'),
    config: config.optional(),
    stream: z.string().optional().describe('The stream to preview; none when absent.'),
  })
  .meta({ id: 'InspectionRequest' })

const inspectedStream = z
  .object({
    name: z.string(),
    at: place,
    isTemplate: z.boolean().describe('Whether it is a template that generates streams.'),
    runs: z.boolean(),
  })
  .meta({ id: 'InspectedStream' })

/** A value that pagination puts into a request, and its placement. */
const pagingMark = z
  .object({
    what: z.enum(['page-size', 'page-token']),
    place: z.enum(['query', 'header', 'body', 'path']),
    name: z.string().describe('Parameter, header or path in the body; empty for the whole URL.'),
    value: z.string(),
  })
  .meta({ id: 'PagingMark' })

const previewedRequest = shownRequest
  .extend({
    marks: z.array(pagingMark),
    when: z.string().describe('In words: when this request is sent.'),
  })
  .meta({ id: 'PreviewedRequest' })

export const preview = z
  .object({
    stream: z.string(),
    requests: z.array(previewedRequest).describe('At most three.'),
    stops: z.string().describe('In words: when pagination stops.'),
    trouble: z.string().nullable().describe('Why requests are missing.'),
  })
  .meta({ id: 'Preview' })

export const inspection = z
  .object({
    problems: z.array(manifestProblem),
    streams: z.array(inspectedStream),
    spec: z.record(z.string(), z.unknown()).nullable().describe('JSON Schema of the config.'),
    preview: preview.nullable(),
  })
  .meta({ id: 'Inspection' })

export type InspectionRequest = z.infer<typeof inspectionRequest>
export type InspectedStream = z.infer<typeof inspectedStream>
export type PagingMark = z.infer<typeof pagingMark>
export type PreviewedRequest = z.infer<typeof previewedRequest>
export type Preview = z.infer<typeof preview>
export type Inspection = z.infer<typeof inspection>
