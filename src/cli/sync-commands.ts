/** `turnleaf sync`, and what is done with the tables it writes: `publish`, `runs`, `query`. */
import { type Command, Option } from 'commander'
import {
  type AddCommand,
  catalogOption,
  concurrencyOption,
  configOption,
  connectionArgument,
  destinationOption,
  inOrder,
  optionalManifestOption,
  positiveNumber,
  prefetchOption,
  requireOption,
  type Runs,
  someName,
  streamOption,
  streamsOption,
} from './arguments.ts'
import { detachOption } from './worker-commands.ts'

export function addSyncCommand(program: Command, add: AddCommand, runs: Runs): void {
  add(
    program,
    'sync',
    'Write streams to tables, resuming where the last sync stopped. Syncs a connection, or a connector with --manifest-path and --config.',
    'sync shop',
    'sync --manifest-path shop/manifest.yaml --config config.json',
    'sync --manifest-path shop/manifest.yaml --config config.json --to jsonl:out --stream orders --mode full-refresh-append',
    'sync --manifest-path shop/manifest.yaml --config config.json --mode orders=incremental-dedup --require complete',
    'sync --manifest-path shop/manifest.yaml --config config.json --to postgres://me@localhost/shop --schema raw --json',
    'sync shop --on postgres://turnleaf@db.example.com/turnleaf',
  )
    .argument('[connection]', `${connectionArgument}; instead of --manifest-path`)
    .addOption(optionalManifestOption())
    .addOption(configOption())
    .addOption(destinationOption())
    .addOption(catalogOption('a catalog of the streams to sync and their modes, as a platform writes it'))
    .addOption(streamOption('sync this stream; may be repeated'))
    .option(
      '--mode <[stream=]mode>',
      'full-refresh-overwrite, full-refresh-append, full-refresh-dedup, incremental-append or incremental-dedup, ' +
        'for all streams or for one; may be repeated (default: chosen for each stream)',
      inOrder,
    )
    .option(
      '--connection <name>',
      'the name of the connection, which owns the tables and states (default: the name of the connector)',
      someName,
    )
    .option('--schema <name>', 'the database schema of the tables', someName)
    .option('--fresh', 'ignore earlier syncs and read every stream from the start')
    .addOption(prefetchOption())
    .addOption(concurrencyOption())
    .addOption(streamsOption())
    .addOption(
      requireOption(
        'exit with 1 when a stream is below this verdict; a full refresh then does not replace a table that has rows (default: that of the connection, or unproven)',
      ),
    )
    .option(
      '--accept-drop',
      'replace tables even if the verdict is too low, or if they would lose more than half of their rows',
    )
    .addOption(
      new Option(
        '--on [address]',
        'let a worker run the sync of the connection: submit it to this Postgres database, postgres://…, and follow it (default: TURNLEAF_ON)',
      ),
    )
    .addOption(detachOption())
    .option('--json', 'print events as JSON, one per line')
    .action(runs(async () => (await import('./commands/sync.ts')).runSync))
}

export function addTableCommands(program: Command, add: AddCommand, runs: Runs): void {
  add(
    program,
    'publish',
    'Replace a table with the rows that a sync held back.',
    'publish orders --connection shop',
    'publish orders --to duckdb:shop.duckdb',
  )
    .argument('<stream>', 'the stream')
    .addOption(destinationOption())
    .option(
      '--connection <name>',
      'the connection; its file names the destination (default: the only one with held rows of the stream)',
      someName,
    )
    .option('--schema <name>', 'the database schema of the tables', someName)
    .option('--json', 'print the result as JSON')
    .action(runs(async () => (await import('./commands/publish.ts')).runPublish))
  add(
    program,
    'runs',
    'List past syncs with their receipts, newest first.',
    'runs --connection shop',
    'runs --to jsonl:out',
  )
    .addOption(destinationOption())
    .option('--connection <name>', 'only the syncs of this connection; its file names the destination', someName)
    .option('--schema <name>', 'the database schema of the tables')
    .option('--limit <n>', 'how many runs to list (default: 10)', positiveNumber)
    .option('--json', 'print the runs as JSON, one per line')
    .action(runs(async () => (await import('./commands/runs.ts')).runRuns))
  add(
    program,
    'query',
    'Query the tables with SQL, read-only.',
    `query 'select _turnleaf_page, count(*) from orders group by all'`,
    `query --connection shop 'select * from orders limit 5'`,
  )
    .argument('<sql>', 'the query')
    .addOption(destinationOption())
    .addOption(
      new Option('--connection <name>', `${connectionArgument}; its file names the destination`).conflicts('to'),
    )
    .option('--schema <name>', 'the database schema of the tables')
    .option('--limit <n>', 'how many rows to print (default: 100)', positiveNumber)
    .option('--json', 'print the rows as JSON, one per line')
    .action(runs(async () => (await import('./commands/query.ts')).runQuery))
}
