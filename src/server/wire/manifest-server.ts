/** The operations of Airbyte's manifest server, with its names, defaults and limits. */
import { z } from 'zod'

const anyObject = z.record(z.string(), z.unknown())
const manifest = anyObject.describe('A manifest as an object.')
const config = anyObject.describe('Values of the inputs that the spec describes.')
const context = z
  .object({ workspace_id: z.string().nullish(), project_id: z.string().nullish() })
  .nullish()
  .describe('The client, for traces. Not used here.')
  .meta({ id: 'RequestContext' })

const limit = (most: number, usual: number) => z.number().int().min(1).max(most).default(usual)

export const manifestReadRequest = z
  .object({
    manifest,
    config,
    stream_name: z.string(),
    state: z.array(z.unknown()).default([]).describe('The state of an earlier read: STATE messages.'),
    custom_components_code: z.string().nullish().describe('Refused: code in a request is never run.'),
    record_limit: limit(5000, 100).describe('A read with this many records counts as limited. Pages are not cut.'),
    page_limit: limit(20, 5).describe('Per slice.'),
    slice_limit: limit(20, 5),
    context,
  })
  .meta({ id: 'ManifestReadRequest' })

export const manifestRequest = z.object({ manifest, config, context }).meta({ id: 'ManifestRequest' })
export const resolveRequest = z.object({ manifest, context }).meta({ id: 'ResolveRequest' })
export const fullResolveRequest = z
  .object({ manifest, config, stream_limit: limit(100, 100).describe('Per stream template.'), context })
  .meta({ id: 'FullResolveRequest' })

const headers = z.record(z.string(), z.string())

const wireRequest = z
  .object({ url: z.string(), headers, http_method: z.string(), body: z.string().nullable() })
  .meta({ id: 'WireRequest' })

const wireResponse = z.object({ status: z.number().int(), body: z.string(), headers }).meta({ id: 'WireResponse' })

/** Auxiliary requests: tokens, parent streams, jobs. */
const auxiliaryRequest = z
  .object({
    title: z.string(),
    type: z.enum(['PARENT_STREAM', 'AUTH', 'ASYNC_CREATE', 'ASYNC_POLL', 'ASYNC_ABORT', 'ASYNC_DELETE', 'HTTP']),
    description: z.string(),
    request: wireRequest,
    response: wireResponse,
  })
  .meta({ id: 'AuxiliaryRequest' })

const wirePage = z
  .object({
    records: z.array(anyObject),
    request: wireRequest.nullable(),
    response: wireResponse.nullable(),
  })
  .meta({ id: 'WirePage' })

const wireSlice = z
  .object({
    pages: z.array(wirePage),
    slice_descriptor: z
      .union([anyObject, z.string()])
      .describe('Partition and window; the string `{}` where there are none.'),
    state: z.array(anyObject).describe('The state after this slice: a STATE message, or empty if unchanged.'),
    auxiliary_requests: z.array(auxiliaryRequest),
  })
  .meta({ id: 'WireSlice' })

const wireLog = z
  .object({
    message: z.string(),
    level: z.enum(['ERROR', 'WARN', 'INFO', 'DEBUG']),
    internal_message: z.string().nullable(),
    stacktrace: z.null(),
  })
  .meta({ id: 'WireLog' })

export const streamRead = z
  .object({
    logs: z.array(wireLog),
    slices: z.array(wireSlice),
    test_read_limit_reached: z.boolean(),
    auxiliary_requests: z.array(auxiliaryRequest),
    inferred_schema: anyObject.nullable(),
    inferred_datetime_formats: z.record(z.string(), z.string()),
    latest_config_update: anyObject.nullable().describe('The new config, where tokens in it were renewed.'),
  })
  .meta({ id: 'StreamRead' })

export const checkAnswer = z
  .object({ success: z.boolean(), message: z.string().nullable() })
  .meta({ id: 'CheckAnswer' })
export const discoverAnswer = z
  .object({ catalog: z.object({ streams: z.array(anyObject) }) })
  .meta({ id: 'DiscoverAnswer' })
export const manifestAnswer = z.object({ manifest: anyObject }).meta({ id: 'ManifestAnswer' })

/** Not an RFC 9457 problem: clients of these operations expect a list in `detail`. */
export const invalidBody = z
  .object({
    detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string(), type: z.string() })),
  })
  .meta({ id: 'InvalidBody' })

export type ManifestReadRequest = z.output<typeof manifestReadRequest>
export type WireRequest = z.infer<typeof wireRequest>
export type WireResponse = z.infer<typeof wireResponse>
export type AuxiliaryRequest = z.infer<typeof auxiliaryRequest>
export type WirePage = z.infer<typeof wirePage>
export type WireSlice = z.infer<typeof wireSlice>
export type WireLog = z.infer<typeof wireLog>
export type StreamRead = z.infer<typeof streamRead>
export type InvalidBody = z.infer<typeof invalidBody>
