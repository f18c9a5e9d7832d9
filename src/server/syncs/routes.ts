/** Syncs, held rows, past runs, and queries. */
import { z } from 'zod'
import { json, lines, linesType } from '../responses.ts'
import type { Connectors } from '../connectors/connectors.ts'
import { type Route, route } from '../route.ts'
import type { Queries } from './queries.ts'
import type { ServerSecrets } from '../secrets/server-secrets.ts'
import type { Syncs } from './syncs.ts'
import { connectorName } from '../wire/connector.ts'
import { connectorRuns, latestRun } from '../wire/run.ts'
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

const one = z.object({ id: z.string().describe('The `id` of the sync, as its start returned it.') })
const named = z.object({ name: connectorName })

export function syncRoutes(
  syncs: Syncs,
  connectors: Connectors,
  queries: Queries,
  secrets: Pick<ServerSecrets, 'fill'>,
): readonly Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/syncs',
      id: 'startSync',
      tag: 'syncs',
      summary: 'Sync a saved connector',
      description:
        'Into the embedded database, or into a file or folder of TURNLEAF_HOME or a Postgres database that the egress policy allows. Runs in the background. If it is interrupted, the next sync resumes after the last committed page.',
      takes: { body: syncRequest },
      responses: { 201: { description: 'Started.', body: syncRun } },
      problems: [404, 409, 422, 429],
      async handle({ body }) {
        const { connector, to, ...request } = body
        const { text } = await connectors.open(connector)
        const saved = { text, folder: await connectors.folderOf(connector) }
        const { config, wrapNetwork } = await secrets.fill(request.config ?? {})
        const target = await syncs.destinations.choose(connector, to)
        return json(await syncs.start({ connector, ...request, config }, saved, wrapNetwork, target), 201)
      },
    }),
    route({
      method: 'get',
      path: '/v1/syncs',
      id: 'listSyncs',
      tag: 'syncs',
      summary: 'List the syncs of this server, newest first',
      description:
        'Those that this server runs or ran since it started, for requests and schedules; at most the last fifty that ended.',
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
        'In every destination of the connector. A full refresh below the required verdict does not replace its table. Its rows stay staged until they are published, or the next sync reads the stream again.',
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
      handle: async ({ path: { name }, body: { stream, destination } }) =>
        json(await syncs.publish(name, stream, destination)),
    }),
    route({
      method: 'get',
      path: '/v1/connectors/{name}/runs',
      id: 'listRuns',
      tag: 'syncs',
      summary: 'List the runs of a connector, with their receipts',
      description:
        'From the embedded database, every destination chosen before, and those of its connections: also runs that the command line or a worker started. A run that is not over has what it committed so far. A DuckDB file that another process writes to cannot be read until that ends.',
      takes: {
        path: named,
        query: z.object({
          limit: z.coerce.number().int().min(1).max(500).default(50).describe('How many to return at most.'),
        }),
      },
      responses: { 200: { description: 'Newest first.', body: connectorRuns } },
      handle: async ({ path: { name }, query: { limit } }) => json(await syncs.history(name, limit)),
    }),
    route({
      method: 'get',
      path: '/v1/runs/latest',
      id: 'listLatestRuns',
      tag: 'syncs',
      summary: 'The latest run of each connector',
      description:
        'From the embedded database, which is read only after it has changed, and from the runs of this server into other destinations. Connectors without a run are left out.',
      responses: { 200: { description: 'In no order.', body: z.object({ runs: z.array(latestRun) }) } },
      handle: async () => json({ runs: await syncs.latest() }),
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
