/** A test read, event by event: the pages that a sync would read, up to a limit. */
import { z } from 'zod'
import { connectorName } from './connector.ts'
import { shownRequest, shownResponse } from './exchange.ts'
import { config } from './inspection.ts'
import { apiProblem } from './problem.ts'
import { testReceipt, verdict } from './receipt.ts'

export const testReadRequest = z
  .object({
    text: z.string().describe('The manifest, YAML or JSON, saved or not.'),
    connector: connectorName.optional().describe('The connector with the custom classes; without it none are loaded.'),
    config: config.default({}),
    stream: z.string(),
    state: z.record(z.string(), z.unknown()).optional().describe('Where an earlier read stopped.'),
    maxPages: z.number().int().min(1).max(1000).default(5).describe('Per slice.'),
    maxSlices: z.number().int().min(1).max(1000).default(5),
    maxRecords: z.number().int().min(1).max(1_000_000).default(1000).describe('Over all slices.'),
  })
  .meta({ id: 'TestReadRequest' })

const limits = testReadRequest.pick({ maxPages: true, maxSlices: true, maxRecords: true })

/** Without a stream and a config: they are those of the read. */
export const moreOfTestRead = limits.meta({ id: 'MoreOfTestRead' })

const slice = z.number().int().describe('From 0, in the order in which slices started.')
const page = z.number().int().describe('From 0, within the slice.')
const at = z.number().describe('Milliseconds since the start of the read.')

const started = z.object({
  kind: z.literal('started'),
  id: z.string().describe('Identifies the read in later requests for its pages.'),
  stream: z.string(),
})

const sliceStarted = z.object({
  kind: z.literal('slice'),
  slice,
  descriptor: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('Partition and window; null when there is one slice.'),
})

/** A request of the stream was sent, and its response is awaited. */
const asked = z.object({ kind: z.literal('asked'), slice, page, at, request: shownRequest })

const readPage = z
  .object({
    kind: z.literal('page'),
    slice,
    page,
    at,
    tookMs: z.number(),
    request: shownRequest,
    response: shownResponse,
    received: z.number().int().describe('What the API sent, before filters.'),
    emitted: z.number().int(),
    records: z.array(z.record(z.string(), z.unknown())).describe('The first records; the rest is at …/records.'),
    tokenIn: z.unknown().describe('The page token of this page; null when there is none.'),
    tokenOut: z.unknown().describe('The page token of the next page; null when there is none.'),
    stop: z.string().nullable().describe('Why pagination stopped here; null when it did not.'),
    stopWords: z.string().nullable().describe('The same in words, with details.'),
  })
  .meta({ id: 'ReadPage' })

const notice = z.object({
  kind: z.literal('notice'),
  at,
  level: z.enum(['info', 'warning', 'error']),
  text: z.string(),
  waitMs: z.number().optional().describe('The waiting time, for notices about one.'),
})

/** Auxiliary requests: tokens, parent streams, jobs. */
const auxiliary = z.object({
  kind: z.literal('auxiliary'),
  at,
  tookMs: z.number(),
  title: z.string(),
  isPage: z
    .boolean()
    .optional()
    .describe('Whether it is a page request that led to no page: refused, redirected, not understood.'),
  request: shownRequest,
  response: shownResponse.nullable(),
})

/** Sent when there was no other event for a while, so that connections are kept and people see progress. */
const waiting = z.object({ kind: z.literal('waiting'), at })

const readEnd = z
  .object({
    kind: z.literal('end'),
    at,
    ending: z.enum(['complete', 'limit', 'cancelled', 'failed']),
    pages: z.number().int(),
    received: z.number().int(),
    emitted: z.number().int(),
    schema: z.record(z.string(), z.unknown()).nullable().describe('Inferred from the records.'),
    state: z.record(z.string(), z.unknown()).nullable(),
    verdict: verdict.nullable().describe('Null where a limit or the user stopped the read.'),
    verdictWords: z.string().nullable(),
    receipt: testReceipt.nullable().describe('Null where the stream could not be opened.'),
    problem: apiProblem.nullable(),
    canContinue: z.boolean().describe('Whether a limit ended it and …/more reads the next pages.'),
  })
  .meta({ id: 'ReadEnd' })

export const testReadEvent = z
  .discriminatedUnion('kind', [started, sliceStarted, asked, readPage, notice, auxiliary, waiting, readEnd])
  .meta({ id: 'TestReadEvent' })

export const recordsPart = z
  .object({ total: z.number().int(), from: z.number().int(), records: z.array(z.record(z.string(), z.unknown())) })
  .meta({ id: 'RecordsPart' })

const record = z.record(z.string(), z.unknown())

export const allRecordsPart = z
  .object({
    total: z.number().int().describe('Records of all pages that are kept.'),
    found: z.number().int().describe('Those that the search finds; all without one.'),
    from: z.number().int(),
    records: z.array(z.object({ slice, page, record })),
    notKept: z.number().int().describe('Pages that are no longer kept.'),
  })
  .meta({ id: 'AllRecordsPart' })

export const recordsComparison = z
  .object({
    key: z
      .array(z.string())
      .nullable()
      .describe('Fields that identify a record; null where whole records are compared.'),
    same: z.number().int(),
    changed: z.number().int().describe('Same key, other values.'),
    added: z.number().int(),
    missing: z.number().int(),
    examples: z
      .array(
        z.object({
          kind: z.enum(['added', 'missing', 'changed']),
          key: z.string().nullable(),
          before: record.nullable(),
          after: record.nullable(),
          fields: z.array(z.string()).describe('Fields that changed.'),
        }),
      )
      .describe('The first of each kind.'),
  })
  .meta({ id: 'RecordsComparison' })

export const bodyPart = z
  .object({ total: z.number().int().describe('Characters.'), from: z.number().int(), text: z.string() })
  .meta({ id: 'BodyPart' })

export type TestReadRequest = z.input<typeof testReadRequest>
export type ReadPage = z.infer<typeof readPage>
export type ReadEnd = z.infer<typeof readEnd>
export type TestReadEvent = z.infer<typeof testReadEvent>
export type RecordsPart = z.infer<typeof recordsPart>
export type AllRecordsPart = z.infer<typeof allRecordsPart>
export type RecordsComparison = z.infer<typeof recordsComparison>
export type BodyExcerpt = z.infer<typeof bodyPart>
