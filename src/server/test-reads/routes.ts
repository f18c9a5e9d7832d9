/** Test reads: pages of a stream as events, and the pages kept for later. */
import { z } from 'zod'
import type { JsonRecord } from '../../engine/plan/plan.ts'
import { ConnectorError } from '../../std/errors.ts'
import type { Connectors } from '../connectors/connectors.ts'
import type { ReadLimit } from '../read-limit.ts'
import { json, lines, linesType } from '../responses.ts'
import { type Route, route } from '../route.ts'
import type { ServerSecrets } from '../secrets/server-secrets.ts'
import type { Services } from '../services.ts'
import {
  allRecordsPart,
  bodyPart,
  moreOfTestRead,
  recordsComparison,
  recordsPart,
  testReadEvent,
  testReadRequest,
} from '../wire/test-read.ts'
import type { Captures } from './captures.ts'
import { portionOf } from './show-page.ts'
import { openAllRecords, rowsOf } from './all-records.ts'
import { compareRecords } from './compare-records.ts'
import { readMore, testRead } from './test-read.ts'

const position = z.coerce.number().int().min(0)

const readPath = z.object({ id: z.string().describe('The `id` in the first event of the read.') })

const pagePath = readPath.extend({
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
  readonly secrets: Pick<ServerSecrets, 'fill'>
}

export function testReadRoutes({ egress, connectors, limit, captures, secrets }: TestReadTools): Route[] {
  const allRecords = openAllRecords()
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
      problems: [404, 409, 422, 429],
      async handle({ body, signal }) {
        const folder = await connectors.folderIfSaved(body.connector)
        const { config, wrapNetwork } = await secrets.fill(body.config)
        const slot = limit.take()
        const events = testRead(
          { ...body, config },
          { folder, egress, wrapNetwork, captures, onEnd: () => slot[Symbol.dispose]() },
        )
        return lines(events, signal)
      },
    }),
    route({
      method: 'post',
      path: '/v1/test-reads/{id}/more',
      id: 'continueTestRead',
      tag: 'building',
      summary: 'Read the next pages of a read that a limit ended',
      description:
        'With the manifest and the config of that read; pages that were read are not requested again. The events continue it: same id, pages numbered on. When the read is no longer kept, the response is 410.',
      takes: { path: readPath, body: moreOfTestRead },
      responses: { 200: { description: 'One event per line.', body: testReadEvent, type: linesType } },
      problems: [410, 429],
      handle({ path: { id }, body, signal }) {
        const slot = limit.take()
        const onEnd = () => slot[Symbol.dispose]()
        try {
          return lines(readMore(id, body, { egress, captures, onEnd }), signal)
        } catch (error) {
          onEnd()
          throw error
        }
      },
    }),
    route({
      method: 'get',
      path: '/v1/test-reads/{id}/records',
      id: 'getReadRecords',
      tag: 'building',
      summary: 'Records of all pages of a read, part by part',
      description: 'In the order of the pages. With `search`, only records that have the text in one of their values.',
      takes: {
        path: readPath,
        query: z.object({
          from,
          count: upTo(1000, 100),
          search: z.string().max(1000).default('').describe('Plain text, in any case.'),
        }),
      },
      responses: { 200: { description: 'As many as requested, or fewer where they are large.', body: allRecordsPart } },
      problems: [410],
      async handle({ path: { id }, query }) {
        return json(await allRecords(captures.pages(id), query))
      },
    }),
    route({
      method: 'get',
      path: '/v1/test-reads/{id}/comparison',
      id: 'compareTestReads',
      tag: 'building',
      summary: 'What changed in the records since an earlier read',
      description: 'By the primary key of the stream; whole records are compared where it has none.',
      takes: {
        path: readPath,
        query: z.object({ with: z.string().describe('The id of the earlier read.') }),
      },
      responses: { 200: { description: 'How many of each kind, and the first of them.', body: recordsComparison } },
      problems: [410],
      async handle({ path: { id }, query }) {
        const [before, after] = [keptRecords(captures, query.with), keptRecords(captures, id)]
        return json(await compareRecords(before, after, after.key))
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

/** With secrets hidden. Throws `server/gone` where a page is no longer kept: its records would count as missing. */
function keptRecords(captures: Captures, id: string) {
  const { read, pages } = captures.pages(id)
  if (pages.some(({ page }) => page === null)) {
    throw new ConnectorError('server/gone', 'Not all pages of the read are kept.')
  }
  const { plan, redactor } = read.stream
  const rows = rowsOf(pages)
  const at = (index: number) => redactor.value(rows.at(index)?.record) as JsonRecord
  return { total: rows.total, at, key: plan.primaryKey }
}
