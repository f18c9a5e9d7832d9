/** Test reads with their evidence page by page, more of a captured page, and templates evaluated on one. */
import { z } from 'zod'
import { verdicts } from '../../proof/verdict/verdict-name.ts'
import { evaluateOnPage } from '../../server/templates/evaluate-on-page.ts'
import { portionOf } from '../../server/test-reads/show-page.ts'
import { testRead } from '../../server/test-reads/test-read.ts'
import type { ReadPage } from '../../server/wire/test-read.ts'
import { count } from '../../std/text/format-count.ts'
import { cutJson } from '../plain-json.ts'
import { tool } from '../tool.ts'
import {
  beginWork,
  configFor,
  configInput,
  followWork,
  failureOf,
  failureOutput,
  fromApi,
  fromApiRule,
  manifestGiven,
  sourceInput,
  streamInput,
} from './source.ts'

const int = z.number().int()

const pagePlace = {
  read: z.string().describe('The id that test_read returned.'),
  slice: z.number().int().min(0).default(0),
  page: z.number().int().min(0).describe('From 0, within its slice.'),
}

/** Characters of the records that are shown with a page, and of all pages together. */
const mostOfPage = 4_000
const mostOfRead = 40_000

/** Evidence of more pages is counted, not shown. */
const mostPages = 50

export const testReadTool = tool({
  name: 'test_read',
  title: 'Test-read a stream',
  description: `Reads some pages of a stream as a sync would, and returns the evidence: per page the request, status, number of records, page token in and out; at the end the verdict whether the read is complete. ${fromApiRule}`,
  isReadOnly: true,
  isOpenWorld: true,
  input: z.object({
    ...sourceInput,
    stream: streamInput,
    config: configInput,
    maxPages: z.number().int().min(1).max(1000).default(5).describe('Per slice. A verdict needs all pages.'),
    maxSlices: z.number().int().min(1).max(1000).default(5),
    maxRecords: z.number().int().min(1).max(1_000_000).default(1000),
    showRecords: z.number().int().min(0).max(20).default(0).describe('How many records of each page to show.'),
  }),
  output: z.object({
    read: z.string().describe('Names the read for read_page and evaluate_template.'),
    ending: z.enum(['complete', 'limit', 'cancelled', 'failed']),
    verdict: z.enum(verdicts).nullable().describe('Null where a limit ended the read.'),
    reason: z.string().nullable(),
    pages: int,
    received: int,
    emitted: int.describe('After filters.'),
    shown: z
      .array(
        z.object({
          slice: int,
          page: int,
          status: int,
          received: int,
          emitted: int,
          bytes: int,
          tookMs: z.number(),
          stop: z.string().nullable(),
          fromApi: fromApi({
            request: z.string().describe('Method and address.'),
            tokenIn: z.unknown(),
            tokenOut: z.unknown(),
            stopWords: z.string().nullable(),
            records: z.array(z.unknown()),
          }),
        }),
      )
      .describe(`The first ${mostPages} pages.`),
    fromApi: fromApi({ notices: z.array(z.string()).describe('Retries, waits and warnings, the last 20.') }),
    problem: failureOutput,
  }),
  async run({ stream, config, maxPages, maxSlices, maxRecords, showRecords, ...given }, context, call) {
    const { text, folder } = await manifestGiven(given, context)
    const marked = configFor(config, text, context)
    const limits = { maxPages, maxSlices, maxRecords }
    const work = { ...beginWork(context, folder), captures: context.workspace.captures }
    const seen = { id: '', pages: [] as ReadPage[], notices: [] as string[] }
    const end = await followWork(testRead({ text, stream, config: marked, ...limits }, work), call, (event) => {
      if (event.kind === 'started') seen.id = event.id
      else if (event.kind === 'page') {
        if (seen.pages.length < mostPages) seen.pages.push(event)
        call.report(`page ${event.page + 1} of slice ${event.slice + 1}: ${count(event.received, 'record')}`)
      } else if (event.kind === 'notice') seen.notices.push(event.text)
    })
    let left = mostOfRead
    const shown = seen.pages.map(({ slice, page, response, received, emitted, tookMs, stop, ...one }) => {
      const records = cutJson(one.records.slice(0, showRecords), Math.min(mostOfPage, Math.max(left, 0)))
      left -= JSON.stringify(records.value).length
      return {
        slice,
        page,
        status: response.status,
        received,
        emitted,
        bytes: response.bytes,
        tookMs: Math.round(tookMs),
        stop,
        fromApi: {
          request: `${one.request.method} ${one.request.url}`.slice(0, 1000),
          tokenIn: cutJson(one.tokenIn, 500).value ?? null,
          tokenOut: cutJson(one.tokenOut, 500).value ?? null,
          stopWords: one.stopWords,
          records: records.value as unknown[],
        },
      }
    })
    const ending = end?.ending ?? 'cancelled'
    const verdict = end?.verdict ?? null
    const { pages = 0, received = 0, emitted = 0 } = end ?? {}
    return {
      says: `${count(received, 'record')} in ${count(pages, 'page')}. Ending: ${ending}. Verdict: ${verdict ?? 'none'}.`,
      value: {
        read: seen.id,
        ending,
        verdict,
        reason: end?.verdictWords ?? null,
        pages,
        received,
        emitted,
        shown,
        // They quote what the API says, and name hosts that it leads to.
        fromApi: { notices: seen.notices.slice(-20).map((one) => one.slice(0, 500)) },
        problem: failureOf(end?.problem ?? null),
      },
    }
  },
})

export const readPageTool = tool({
  name: 'read_page',
  title: 'More of a page',
  description: `Returns records or the body of a page of an earlier test_read, part by part. ${fromApiRule}`,
  isReadOnly: true,
  input: z.object({
    ...pagePlace,
    what: z.enum(['records', 'body']).default('records'),
    from: z.number().int().min(0).default(0).describe('The first record, or the first character of the body.'),
    count: z.number().int().min(1).max(20_000).default(20).describe('How many records, or characters of the body.'),
  }),
  output: z.object({
    total: int.describe('Records, or characters of the body.'),
    from: int,
    next: int.nullable().describe('Where the next part starts; null at the end.'),
    fromApi: fromApi({ records: z.array(z.unknown()).optional(), body: z.string().optional() }),
  }),
  async run({ read: id, slice, page: number, what, from, count: most }, { workspace }) {
    const { read, page } = workspace.captures.find(id, { slice, page: number })
    const next = (end: number, total: number) => (end < total ? end : null)
    if (what === 'body') {
      const { text, total } = await page.text.part(from, Math.max(most, 2000))
      const value = { total, from, next: next(from + text.length, total), fromApi: { body: text } }
      return { says: `${count(text.length, 'character')} of ${total}.`, value }
    }
    const limits = { from, count: Math.min(most, 100), characters: mostOfRead }
    const records = portionOf(page.records, read.stream.redactor, limits)
    const total = page.records.length
    const shown = records.map((record) => cutJson(record, mostOfRead).value)
    const value = { total, from, next: next(from + records.length, total), fromApi: { records: shown } }
    return { says: `${count(records.length, 'record')} of ${total}.`, value }
  },
})

export const evaluateTemplateTool = tool({
  name: 'evaluate_template',
  title: 'Evaluate a template',
  description: `Evaluates a template such as {{ response['next'] }} on a page of an earlier test_read, or without a page. Secrets of the config are hidden from it. ${fromApiRule}`,
  isReadOnly: true,
  input: z.object({
    template: z.string().max(100_000),
    as: z
      .enum(['string', 'boolean', 'param', 'header', 'json'])
      .default('string')
      .describe('How the field uses the value.'),
    config: configInput,
    on: z
      .object(pagePlace)
      .optional()
      .describe('The page: provides response, headers, last_record, next_page_token and more.'),
  }),
  output: z.object({
    type: z.string().describe('Python’s name for it.'),
    isCut: z.boolean(),
    isLeftOut: z.boolean().describe('Whether the field sends nothing.'),
    fromApi: fromApi({ value: z.unknown(), repr: z.string().describe('As Python prints it.') }),
  }),
  async run({ template, as, config, on }, context) {
    const marked = configFor(config, '', context)
    const request = { template, as, config: marked, context: {}, ...(on !== undefined && { page: on }) }
    const { value, type, repr, isCut, isLeftOut } = evaluateOnPage(request, context.workspace.captures)
    const start = cutJson(value, mostOfPage)
    const shown = { value: start.value ?? null, repr: repr.slice(0, mostOfPage) }
    const result = { type, isCut: isCut || start.isCut, isLeftOut, fromApi: shown }
    return { says: isLeftOut ? 'The field sends nothing.' : `A value of type ${type}.`, value: result }
  },
})
