/** Syncs into the embedded database, past runs with their receipts, tables and queries. */
import { z } from 'zod'
import { requirements } from '../../proof/verdict/verdict-name.ts'
import { tableSchemaOf } from '../../server/connectors/table-schema.ts'
import { connectorName } from '../../server/wire/connector.ts'
import type { SyncNews } from '../../server/syncs/log.ts'
import type { Syncs } from '../../server/syncs/syncs.ts'
import type { SyncRun } from '../../server/wire/sync.ts'
import { ConnectorError } from '../../std/errors.ts'
import { count } from '../../std/text/format-count.ts'
import type { StreamReceipt } from '../../sync/receipt.ts'
import { cutJson } from '../plain-json.ts'
import { type McpContext, tool, type ToolCall } from '../tool.ts'
import { configFor, configInput, failureOf, failureOutput, fromApi, fromApiRule } from './source.ts'

const int = z.number().int()

const receiptOutput = z.object({
  stream: z.string(),
  mode: z.string().nullable(),
  ending: z.string(),
  verdict: z.string(),
  reason: z.string(),
  pages: int,
  received: int,
  records: int.describe('Written, after filters.'),
  claimedTotal: int.nullable().describe('How many records the API reports.'),
  held: z
    .object({ reason: z.string() })
    .nullable()
    .describe('Why the table was not replaced. A person decides about it: `turnleaf publish`, or the builder.'),
  problem: failureOutput,
})

function receiptOf(receipt: StreamReceipt): z.infer<typeof receiptOutput> {
  const { stream, mode, ending, verdict, reason, pages, received, records, claimed, held, error } = receipt
  return {
    stream,
    mode,
    ending,
    verdict,
    reason,
    pages,
    received,
    records,
    claimedTotal: claimed.total?.value ?? null,
    held: held === undefined ? null : { reason: held.reason },
    problem: failureOf(error ?? null),
  }
}

/** Streams may be named by the API: those that a manifest makes from its records. */
const syncOutput = z.object({
  sync: z.string().describe('Names it for follow_sync and cancel_sync.'),
  connector: z.string(),
  status: z.enum(['running', 'complete', 'incomplete', 'held', 'failed', 'interrupted']),
  fromApi: fromApi({
    progress: z.array(z.object({ stream: z.string(), pages: int, records: int, total: int.nullable() })),
    receipts: z.array(receiptOutput).describe('Of the streams that ended; the first 100.'),
  }),
  problem: failureOutput,
})

const waitSeconds = z.number().int().min(0).max(50).default(30).describe('How long to wait for its end.')

export const startSyncTool = tool({
  name: 'sync',
  title: 'Sync a connector',
  description: `Reads every page of a saved connector into tables of the embedded database, in the background, and returns its receipts once it ends. If it is still running after \`waitSeconds\`, call follow_sync. A full refresh replaces the table of its stream. ${fromApiRule}`,
  isReadOnly: false,
  isDestructive: true,
  isOpenWorld: true,
  input: z.object({
    connector: connectorName,
    config: configInput,
    streams: z.array(z.string()).optional().describe('All when absent.'),
    isFresh: z.boolean().default(false).describe('Ignore the checkpoints of earlier syncs.'),
    require: z
      .enum(requirements)
      .default('unproven')
      .describe('A full refresh below this verdict does not replace a table that has rows.'),
    waitSeconds,
  }),
  output: syncOutput,
  async run({ connector, config, streams, isFresh, require, waitSeconds: seconds }, context, call) {
    const { connectors } = context.workspace
    const { text } = await connectors.open(connector)
    const marked = configFor(config, text, context)
    const saved = { text, folder: await connectors.folderOf(connector) }
    const request = { connector, config: marked, streams, isFresh, require }
    const { id } = await context.services.syncs.start(request, saved, context.wrapNetwork)
    return followed(id, seconds, context, call)
  },
})

export const followSyncTool = tool({
  name: 'follow_sync',
  title: 'Follow a sync',
  description: `Waits for a sync and returns its progress and its receipts. ${fromApiRule}`,
  isReadOnly: true,
  input: z.object({ sync: z.string(), waitSeconds }),
  output: syncOutput,
  run: ({ sync, waitSeconds: seconds }, context, call) => followed(sync, seconds, context, call),
})

export const cancelSyncTool = tool({
  name: 'cancel_sync',
  title: 'Cancel a sync',
  description: 'Stops a sync after it has committed what it read; the next sync resumes from there.',
  isReadOnly: false,
  input: z.object({ sync: z.string() }),
  output: z.object({ sync: z.string(), status: z.string() }),
  async run({ sync }, { services }) {
    findSync(sync, services.syncs)
    const { status } = await services.syncs.cancel(sync)
    return { says: `Status: ${status}.`, value: { sync, status } }
  },
})

async function followed(
  id: string,
  seconds: number,
  { services: { syncs } }: McpContext,
  { signal, report }: ToolCall,
) {
  findSync(id, syncs)
  const progress = new Map<string, z.infer<typeof syncOutput>['fromApi']['progress'][number]>()
  const receipts = new Map<string, StreamReceipt>()
  const enough = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)])
  for await (const news of syncs.follow(id, enough)) {
    if (news.kind === 'progress') {
      const { stream, pages, records, total } = news
      progress.set(stream, { stream, pages, records, total })
      const all = [...progress.values()].reduce((sum, one) => sum + one.records, 0)
      report(`${count(all, 'record')} of ${count(progress.size, 'stream')}`)
    }
    for (const receipt of receiptsIn(news)) receipts.set(receipt.stream, receipt)
  }
  const ended = [...receipts.values()]
  const { connector, status, problem } = findSync(id, syncs)
  const complete = ended.filter(({ verdict }) => verdict === 'complete').length
  return {
    says: `Status: ${status}. ${complete} of ${count(ended.length, 'stream')} that ended ${complete === 1 ? 'is' : 'are'} shown to be complete.`,
    value: {
      sync: id,
      connector,
      status,
      fromApi: { progress: [...progress.values()].slice(0, 100), receipts: ended.slice(0, 100).map(receiptOf) },
      problem: failureOf(problem),
    },
  }
}

function findSync(id: string, syncs: Syncs): SyncRun {
  const found = syncs.list().find((one) => one.id === id)
  if (found !== undefined) return found
  throw new ConnectorError('server/not-found', 'There is no such sync.', {
    hint: 'Give the id that the tool sync returned. A restart of the server forgets it; list_runs has the runs of a connector.',
  })
}

function receiptsIn(news: SyncNews): readonly StreamReceipt[] {
  switch (news.kind) {
    case 'stream-ended':
    case 'stream-skipped':
      return [news.receipt]
    case 'run-ended':
      return news.result.receipts
    default:
      return []
  }
}

export const listRunsTool = tool({
  name: 'list_runs',
  title: 'List runs and receipts',
  description: `Lists the runs of a connector, newest first, in the embedded database and in every other destination that is known: also those of connections, schedules and the command line. Each has the receipt of every stream: what was read, and whether it is shown to be complete. ${fromApiRule}`,
  isReadOnly: true,
  input: z.object({
    connector: connectorName,
    from: z.number().int().min(0).default(0),
    count: z.number().int().min(1).max(20).default(5),
  }),
  output: z.object({
    total: int,
    runs: z.array(
      z.object({
        run: z.string(),
        connection: z.string().describe('The name that its tables and checkpoints are stored under.'),
        to: z.string().describe('The destination, without a password.'),
        status: z.string().describe('`unfinished`: it runs in another process, or was interrupted.'),
        startedAt: z.string(),
        endedAt: z.string().nullable(),
        fromApi: fromApi({ receipts: z.array(receiptOutput).describe('The first 50.') }),
      }),
    ),
    unreadable: z
      .array(z.object({ to: z.string(), code: z.string(), message: z.string() }))
      .describe('Destinations whose runs cannot be read now, and why.'),
  }),
  async run({ connector, from, count: most }, { services: { syncs } }) {
    const { runs, total, unreadable } = await syncs.history(connector, from + most)
    const shown = runs.slice(from).map(({ run, connection, to, status, startedAt, endedAt, streams }) => ({
      run,
      connection,
      to,
      status,
      startedAt,
      endedAt,
      fromApi: { receipts: (streams as unknown as readonly StreamReceipt[]).slice(0, 50).map(receiptOf) },
    }))
    const missing = unreadable.map(({ to, code, detail }) => ({ to, code, message: detail }))
    const says =
      total === 0 && missing.length === 0
        ? `"${connector}" has not been synced yet; the tool sync starts a run.`
        : `${count(total, 'run')}.${missing.length === 0 ? '' : ` ${count(missing.length, 'destination')} cannot be read.`}`
    return { says, value: { total, runs: shown, unreadable: missing } }
  },
})

export const listTablesTool = tool({
  name: 'list_tables',
  title: 'List tables',
  description: `Lists the tables of syncs with their columns. Each connector has a schema of the name it was created with. ${fromApiRule}`,
  isReadOnly: true,
  input: z.object({ schema: z.string().optional().describe('Only those of this connector, or of this schema.') }),
  output: z.object({
    total: int,
    fromApi: fromApi({
      tables: z
        .array(
          z.object({
            schema: z.string(),
            name: z.string(),
            rows: int.describe('Estimated.'),
            columns: z.array(z.string()).describe('Name and type; the first 60.'),
          }),
        )
        .describe('The first 50.'),
    }),
  }),
  async run({ schema: only }, { services: { home }, workspace }, { signal }) {
    const { data: connector } = connectorName.safeParse(only)
    const wanted = [only, connector !== undefined && tableSchemaOf(home, connector)]
    const tables = (await workspace.queries.tables(signal)).filter(
      ({ schema }) => only === undefined || wanted.includes(schema),
    )
    const shown = tables.slice(0, 50).map(({ schema, name, rows, columns }) => ({
      schema,
      name,
      rows,
      columns: columns.slice(0, 60).map((one) => `${one.name} ${one.type}`),
    }))
    return { says: `${count(tables.length, 'table')}.`, value: { total: tables.length, fromApi: { tables: shown } } }
  },
})

export const queryTablesTool = tool({
  name: 'query_tables',
  title: 'Query tables',
  description: `Runs one SELECT on the tables of syncs: select * from "connector"."stream" limit 10. No files, no network, no changes. ${fromApiRule}`,
  isReadOnly: true,
  input: z.object({
    sql: z.string().min(1).max(20_000),
    limit: z.number().int().min(1).max(500).default(50).describe('The most rows.'),
  }),
  output: z.object({
    rows: int,
    isCut: z.boolean().describe('There are more rows, or values were too long.'),
    fromApi: fromApi({ columns: z.array(z.string()), rows: z.array(z.array(z.unknown())) }),
  }),
  async run({ sql, limit }, { workspace }, { signal }) {
    const { columns, rows, isCut } = await workspace.queries.run(sql, limit, signal)
    const start = cutJson(rows, 40_000)
    const shown = start.value as unknown[][]
    const value = { rows: shown.length, isCut: isCut || start.isCut, fromApi: { columns, rows: shown } }
    return { says: `${count(shown.length, 'row')}${value.isCut ? ', not all' : ''}.`, value }
  },
})
