/** A test read, event by event: the same pages that a sync would read, up to a limit. */
import { z } from 'zod'
import { connectorName } from './connector.ts'
import { shownRequest, shownResponse } from './exchange.ts'
import { config } from './inspection.ts'
import { apiProblem } from './problem.ts'
import { testReceipt, verdict } from './receipt.ts'

export const testReadRequest = z
  .object({
    text: z.string().describe('The manifest, YAML or JSON, saved or not.'),
    connector: connectorName.optional().describe('Where its own classes are; without it none are loaded.'),
    config: config.default({}),
    stream: z.string(),
    state: z.record(z.string(), z.unknown()).optional().describe('Where an earlier read stopped.'),
    maxPages: z.number().int().min(1).max(1000).default(5).describe('Per slice.'),
    maxSlices: z.number().int().min(1).max(1000).default(5),
    maxRecords: z.number().int().min(1).max(1_000_000).default(1000).describe('Over all slices.'),
  })
  .meta({ id: 'TestReadRequest' })

const slice = z.number().int().describe('From 0, in the order in which slices began.')
const page = z.number().int().describe('From 0, within the slice.')
const at = z.number().describe('Milliseconds since the read began.')

const started = z.object({
  kind: z.literal('started'),
  id: z.string().describe('Names the read where its pages are asked for later.'),
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

/** A request of the stream itself leaves: what is waited for now. */
const asked = z.object({ kind: z.literal('asked'), slice, page, at, request: shownRequest })

export const readPage = z
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
    records: z.array(z.record(z.string(), z.unknown())).describe('The first of them; the rest is at …/records.'),
    tokenIn: z.unknown().describe('What asked for this page; null when nothing did.'),
    tokenOut: z.unknown().describe('What asks for the next; null when there is none.'),
    stop: z.string().nullable().describe('Why this is the last page; null when it is not.'),
    stopWords: z.string().nullable().describe('The same in words, with the figures.'),
  })
  .meta({ id: 'ReadPage' })

const notice = z.object({
  kind: z.literal('notice'),
  at,
  level: z.enum(['info', 'warning', 'error']),
  text: z.string(),
  waitMs: z.number().optional().describe('How long is waited, where that is the news.'),
})

/** What had to be asked besides: tokens, parent streams, jobs. */
const auxiliary = z.object({
  kind: z.literal('auxiliary'),
  at,
  tookMs: z.number(),
  title: z.string(),
  isPage: z
    .boolean()
    .optional()
    .describe('It asked for a page of the stream itself, but none came of it: refused, redirected, not understood.'),
  request: shownRequest,
  response: shownResponse.nullable(),
})

/** Sent when nothing else was for a while, so that connections stay and people see that time passes. */
const waiting = z.object({ kind: z.literal('waiting'), at })

export const readEnd = z
  .object({
    kind: z.literal('end'),
    at,
    ending: z.enum(['complete', 'limit', 'cancelled', 'failed']),
    pages: z.number().int(),
    received: z.number().int(),
    emitted: z.number().int(),
    schema: z.record(z.string(), z.unknown()).nullable().describe('Inferred from the records.'),
    state: z.record(z.string(), z.unknown()).nullable(),
    verdict: verdict.nullable().describe('Null where a limit or a hand stopped the read: nothing can be said.'),
    verdictWords: z.string().nullable(),
    receipt: testReceipt.nullable().describe('Null where the stream could not be opened.'),
    problem: apiProblem.nullable(),
  })
  .meta({ id: 'ReadEnd' })

export const testReadEvent = z
  .discriminatedUnion('kind', [started, sliceStarted, asked, readPage, notice, auxiliary, waiting, readEnd])
  .meta({ id: 'TestReadEvent' })

export const recordsPart = z
  .object({ total: z.number().int(), from: z.number().int(), records: z.array(z.record(z.string(), z.unknown())) })
  .meta({ id: 'RecordsPart' })

export const bodyPart = z
  .object({ total: z.number().int().describe('Characters.'), from: z.number().int(), text: z.string() })
  .meta({ id: 'BodyPart' })

export type TestReadRequest = z.input<typeof testReadRequest>
export type ReadPage = z.infer<typeof readPage>
export type ReadEnd = z.infer<typeof readEnd>
export type TestReadEvent = z.infer<typeof testReadEvent>
export type RecordsPart = z.infer<typeof recordsPart>
export type BodyPart = z.infer<typeof bodyPart>
