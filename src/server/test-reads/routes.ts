/** Test reads: pages of a stream as events, and the pages kept for later. */
import { z } from 'zod'
import type { Connectors } from '../connectors/connectors.ts'
import type { ReadLimit } from '../read-limit.ts'
import { json, lines, linesType } from '../responses.ts'
import { type Route, route } from '../route.ts'
import type { Services } from '../services.ts'
import { bodyPart, recordsPart, testReadEvent, testReadRequest } from '../wire/test-read.ts'
import type { Captures } from './captures.ts'
import { portionOf } from './show-page.ts'
import { testRead } from './test-read.ts'

const position = z.coerce.number().int().min(0)

const pagePath = z.object({
  id: z.string().describe('The `id` in the first event of the read.'),
  slice: position.describe('The slice, counted from 0.'),
  page: position.describe('The page of the slice, counted from 0.'),
})

const from = position.default(0).describe('How many to leave out at the start.')

const upTo = (most: number, usual: number) =>
  z.coerce.number().int().min(1).max(most).default(usual).describe('How many to return at most.')

export type TestReadTools = {
  readonly egress: Services['egress']
  readonly connectors: Connectors
  readonly limit: ReadLimit
  readonly captures: Captures
}

export function testReadRoutes({ egress, connectors, limit, captures }: TestReadTools): Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/test-reads',
      id: 'startTestRead',
      tag: 'building',
      summary: 'Read pages of one stream, event by event',
      description: 'Runs until a limit, the end or an error. Disconnecting ends it.',
      takes: { body: testReadRequest },
      responses: { 200: { description: 'One event per line.', body: testReadEvent, type: linesType } },
      problems: [429],
      async handle({ body, signal }) {
        const folder = await connectors.folderIfSaved(body.connector)
        const slot = limit.take()
        const events = testRead(body, { folder, egress, captures, onEnd: () => slot[Symbol.dispose]() })
        return lines(events, signal)
      },
    }),
    route({
      method: 'get',
      path: '/v1/test-reads/{id}/slices/{slice}/pages/{page}/records',
      id: 'getPageRecords',
      tag: 'building',
      summary: 'Records of a page that was read, part by part',
      description: 'The latest reads are kept in memory; for a page that is no longer kept, the response is 410.',
      takes: {
        path: pagePath,
        query: z.object({ from, count: upTo(10_000, 100) }),
      },
      responses: {
        200: {
          description: 'As many as requested, or fewer where they are large.',
          body: recordsPart,
        },
      },
      problems: [404, 410],
      handle({ path: { id, ...place }, query }) {
        const { read, page } = captures.find(id, place)
        const records = portionOf(page.records, read.stream.redactor, { ...query, characters: 4 * 1024 * 1024 })
        return json({ total: page.records.length, from: query.from, records })
      },
    }),
    route({
      method: 'get',
      path: '/v1/test-reads/{id}/slices/{slice}/pages/{page}/body',
      id: 'getPageBody',
      tag: 'building',
      summary: 'The body of a page that was read, part by part',
      description: 'As the API sent it, with secrets hidden. `from` and `count` are characters of its JSON text.',
      takes: {
        path: pagePath,
        query: z.object({ from, count: upTo(1_000_000, 65_536) }),
      },
      responses: { 200: { description: 'A part of its JSON text.', body: bodyPart } },
      problems: [404, 410],
      async handle({ path: { id, ...place }, query }) {
        const { text, total } = await captures.find(id, place).page.text.part(query.from, query.count)
        return json({ total, from: query.from, text })
      },
    }),
  ]
}
