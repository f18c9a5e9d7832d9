/** Syncs into the embedded database, held rows, and queries. */
import { z } from 'zod'
import { json, lines, linesType } from '../responses.ts'
import type { Connectors } from '../connectors/connectors.ts'
import { type Route, route } from '../route.ts'
import type { Queries } from './queries.ts'
import type { Syncs } from './syncs.ts'
import { connectorName } from '../wire/connector.ts'
import {
  heldStream,
  published,
  publishRequest,
  queryAnswer,
  queryRequest,
  syncNews,
  syncRequest,
  syncRun,
  table,
} from '../wire/sync.ts'

const one = z.object({ id: z.string() })
const named = z.object({ name: connectorName })

export function syncRoutes(syncs: Syncs, connectors: Connectors, queries: Queries): readonly Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/syncs',
      id: 'startSync',
      tag: 'syncs',
      summary: 'Sync a saved connector into the embedded database',
      description: 'Runs in the background. If it is interrupted, the next sync resumes after the last committed page.',
      takes: { body: syncRequest },
      responses: { 201: { description: 'Started.', body: syncRun } },
      problems: [404, 422, 429],
      async handle({ body }) {
        const { text } = await connectors.open(body.connector)
        return json(await syncs.start(body, { text, folder: await connectors.folderOf(body.connector) }), 201)
      },
    }),
    route({
      method: 'get',
      path: '/v1/syncs',
      id: 'listSyncs',
      tag: 'syncs',
      summary: 'List the syncs of this server, newest first',
      description:
        'Those started through this API since the server started, running or ended; at most the last fifty that ended.',
      responses: { 200: { description: 'The latest.', body: z.object({ syncs: z.array(syncRun) }) } },
      handle: () => json({ syncs: syncs.list() }),
    }),
    route({
      method: 'get',
      path: '/v1/syncs/{id}/events',
      id: 'followSync',
      tag: 'syncs',
      summary: 'Follow the events of a sync, from its start to its end',
      description:
        'Lines of JSON: events that already happened come first, then new ones as they happen. Disconnecting does not stop the sync.',
      takes: { path: one },
      responses: { 200: { description: 'One event per line.', body: syncNews, type: linesType } },
      problems: [404],
      handle: ({ path: { id }, signal }) => lines(syncs.follow(id, signal), signal),
    }),
    route({
      method: 'delete',
      path: '/v1/syncs/{id}',
      id: 'cancelSync',
      tag: 'syncs',
      summary: 'Stop a sync after it commits what it read',
      description: 'The next sync of the connector resumes after the last committed page.',
      takes: { path: one },
      responses: { 200: { description: 'Stopped.', body: syncRun } },
      problems: [404],
      handle: async ({ path: { id } }) => json(await syncs.cancel(id)),
    }),
    route({
      method: 'get',
      path: '/v1/connectors/{name}/held',
      id: 'listHeld',
      tag: 'syncs',
      summary: 'List rows that syncs of a connector held back',
      description:
        'A full refresh below the required verdict does not replace its table. Its rows stay staged until they are published, or the next sync reads the stream again.',
      takes: { path: named },
      responses: {
        200: { description: 'Empty where every table was replaced.', body: z.object({ held: z.array(heldStream) }) },
      },
      handle: async ({ path: { name } }) => json({ held: await syncs.held(name) }),
    }),
    route({
      method: 'post',
      path: '/v1/connectors/{name}/publish',
      id: 'publishHeld',
      tag: 'syncs',
      summary: 'Replace a table with the rows that a sync held back',
      description: 'Publishes in one transaction: readers see the old rows or the new ones.',
      takes: { path: named, body: publishRequest },
      responses: { 200: { description: 'Replaced.', body: published } },
      problems: [404, 422, 429],
      handle: async ({ path: { name }, body: { stream } }) => json(await syncs.publish(name, stream)),
    }),
    route({
      method: 'get',
      path: '/v1/tables',
      id: 'listTables',
      tag: 'syncs',
      summary: 'List the tables of syncs',
      description:
        'Tables of the embedded database, with their columns and an estimate of their rows. Internal tables are left out.',
      responses: { 200: { description: 'Empty before the first sync.', body: z.object({ tables: z.array(table) }) } },
      handle: async ({ signal }) => json({ tables: await queries.tables(signal) }),
    }),
    route({
      method: 'post',
      path: '/v1/queries',
      id: 'query',
      tag: 'syncs',
      summary: 'Query the embedded database with SQL',
      description:
        'One SELECT, WITH … SELECT, VALUES, DESCRIBE, SUMMARIZE or SHOW TABLES. It can read the tables, but no files, network or settings. It runs in its own process, with limits on memory and time, and ends when the client disconnects.',
      takes: { body: queryRequest },
      responses: { 200: { description: 'The first rows.', body: queryAnswer } },
      problems: [422, 429],
      handle: async ({ body: { sql, limit }, signal }) => json(await queries.run(sql, limit, signal)),
    }),
  ]
}
