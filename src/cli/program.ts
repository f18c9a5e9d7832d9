/** Every command with its options, and the file that runs it. Commands are loaded when called: `read` must start fast. */
import { Command, CommanderError, Option } from 'commander'
import {
  argumentError,
  catalogOption,
  componentsOption,
  concurrencyOption,
  configOption,
  destinationOption,
  inOrder,
  manifestOption,
  optionalManifestOption,
  portNumber,
  prefetchOption,
  requireOption,
  someName,
  streamOption,
  streamsOption,
  surveyOption,
  positiveNumber,
} from './arguments.ts'
import {
  type AddCommand,
  addConnectionCommands,
  addScheduleCommands,
  connectionArgument,
} from './connection-commands.ts'
import { addImportCommands } from './import-commands.ts'
import { addWorkerCommands, detachOption } from './worker-commands.ts'
import { packageVersion } from './package.ts'

/** Runs one command; returns its exit code. */
export async function runCommand(args: readonly string[]): Promise<number> {
  let exitCode = 0
  const runs =
    <Given extends unknown[]>(load: () => Promise<(...given: Given) => Promise<number>>) =>
    async (...given: Given) => {
      exitCode = await (await load())(...given)
    }

  const program = new Command('turnleaf')
    .description('Reads every page of any HTTP API, as a declarative manifest describes it.')
    .version(packageVersion(), '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .helpCommand('help [command]', 'print help for a command')
    .exitOverride()
    .configureOutput({ outputError: () => {} })

  const add: AddCommand = (parent, name, description, ...examples) =>
    parent
      .command(name)
      .description(description)
      .helpOption('--help', 'print this help')
      .addHelpText(
        'after',
        `\nExample${examples.length === 1 ? '' : 's'}:${examples.map((one) => `\n  turnleaf ${one}`).join('')}`,
      )
  const command = (name: string, description: string, ...examples: readonly string[]) =>
    add(program, name, description, ...examples)
  const protocol = (name: string, description: string, example: string) =>
    command(name, description, example)
      .addOption(optionalManifestOption())
      .addOption(componentsOption())
      // Airbyte: platforms pass it; our logs have one level.
      .addOption(new Option('--debug').hideHelp())

  protocol(
    'spec',
    'Print the config that the manifest requires, as a JSON Schema.',
    'spec --manifest-path shop/manifest.yaml',
  )
    .addOption(new Option('--config <file>').hideHelp())
    .action(runs(async () => (await import('./commands/spec.ts')).runSpec))
  protocol(
    'check',
    'Check that the config can connect.',
    'check --manifest-path shop/manifest.yaml --config config.json',
  )
    .addOption(configOption())
    .action(runs(async () => (await import('./commands/check.ts')).runCheck))
  protocol(
    'discover',
    'List the streams and their schemas.',
    'discover --manifest-path shop/manifest.yaml --config config.json',
  )
    .addOption(configOption())
    .action(runs(async () => (await import('./commands/discover.ts')).runDiscover))
  protocol(
    'read',
    'Read streams and print records and states, one JSON message per line.',
    'read --manifest-path shop/manifest.yaml --config config.json --stream orders',
  )
    .addOption(configOption())
    .addOption(catalogOption('a catalog of the streams to read, as a platform writes it'))
    .option('--state <file>', 'the state of an earlier read, to resume from')
    .addOption(streamOption('read this stream; may be repeated'))
    .option('--max-pages <n>', 'stop each slice after this many pages', positiveNumber)
    .addOption(prefetchOption())
    .addOption(concurrencyOption())
    .addOption(requireOption())
    .option('--receipts <file>', 'write a receipt for each slice and stream to this file, one JSON line each')
    .action(runs(async () => (await import('./commands/read.ts')).runRead))
  command(
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
  addConnectionCommands(program, add, runs)
  addScheduleCommands(program, add, runs)
  addWorkerCommands(program, add, runs)
  command('publish', 'Replace a table with the rows that a sync held back.', 'publish orders --to duckdb:shop.duckdb')
    .argument('<stream>', 'the stream')
    .addOption(destinationOption())
    .option('--connection <name>', 'the connection (default: the only one with held rows of the stream)', someName)
    .option('--schema <name>', 'the database schema of the tables', someName)
    .option('--json', 'print the result as JSON')
    .action(runs(async () => (await import('./commands/publish.ts')).runPublish))
  command('runs', 'List past syncs with their receipts, newest first.', 'runs --to jsonl:out --connection shop')
    .addOption(destinationOption())
    .option('--connection <name>', 'only the syncs of this connection')
    .option('--schema <name>', 'the database schema of the tables')
    .option('--limit <n>', 'how many runs to list (default: 10)', positiveNumber)
    .option('--json', 'print the runs as JSON, one per line')
    .action(runs(async () => (await import('./commands/runs.ts')).runRuns))
  command(
    'query',
    'Query the tables with SQL, read-only.',
    `query 'select _turnleaf_page, count(*) from orders group by all'`,
  )
    .argument('<sql>', 'the query')
    .addOption(destinationOption())
    .option('--schema <name>', 'the database schema of the tables')
    .option('--limit <n>', 'how many rows to print (default: 100)', positiveNumber)
    .option('--json', 'print the rows as JSON, one per line')
    .action(runs(async () => (await import('./commands/query.ts')).runQuery))
  command(
    'plan',
    'Print the plan of a stream as JSON, without secrets.',
    'plan --manifest-path shop/manifest.yaml --config config.json --stream orders',
  )
    .addOption(manifestOption())
    .addOption(configOption())
    .option('--stream <name>', 'the stream; optional when there is only one')
    .action(runs(async () => (await import('./commands/plan.ts')).runPlan))
  command(
    'diagnose',
    'Find out why a stream misses or duplicates records or does not end, and fix its manifest.',
    'diagnose --manifest-path shop/manifest.yaml --config config.json --stream orders',
    'diagnose --manifest-path shop/manifest.yaml --config config.json --stream orders --fix',
    'diagnose shop --stream orders',
  )
    .argument('[connection]', `${connectionArgument}; instead of --manifest-path`)
    .addOption(optionalManifestOption())
    .addOption(configOption())
    .option('--stream <name>', 'the stream; optional when there is only one')
    .option('--fix', 'apply the fixes that a re-test confirms')
    .option('--max-pages <n>', 'read at most this many pages (default: 20)', positiveNumber)
    .option('--max-requests <n>', 'send at most this many additional requests (default: 12)', positiveNumber)
    .option('--json', 'print the diagnosis as JSON')
    .action(runs(async () => (await import('./commands/diagnose.ts')).runDiagnose))
  command('validate', 'List every problem of a manifest, with line and column.', 'validate shop/manifest.yaml')
    .argument('<manifest>', 'the manifest, its folder, or - for standard input')
    .option('--json', 'print the problems as JSON')
    .action(runs(async () => (await import('./commands/validate.ts')).runValidate))
  command(
    'detect',
    'Detect the pagination of an API with a few requests, and print a manifest that reads every page.',
    'detect https://api.example.com/v1/orders',
    `detect https://api.example.com/v1/orders --header 'Authorization: Bearer \${SHOP_TOKEN}' --write shop.yaml`,
    `detect https://api.example.com/search --data '{"query": "*"}' --json`,
  )
    .argument('<url>', 'the URL, as documented by the API; it may contain a page number or an offset')
    .addOption(
      new Option('--method <method>', 'the HTTP method (default: POST with a body, otherwise GET)').choices([
        'GET',
        'POST',
      ]),
    )
    .option('--header <line>', 'a header; ${NAME} is replaced by the environment variable; may be repeated', inOrder)
    .option('--data <json>', 'a JSON body, @FILE, or @- for standard input')
    .option('--form <field>', 'a form field, name=value; may be repeated', inOrder)
    .option('--max-requests <n>', 'send at most this many requests (default: 12)', positiveNumber)
    .option('--write <file>', 'write the manifest to this file, which must not exist')
    .option('--force', 'overwrite an existing file')
    .option('--json', 'print the result as JSON')
    .action(runs(async () => (await import('./commands/detect.ts')).runDetect))
  addImportCommands(program, add, runs)
  command(
    'lab',
    'Serve a sample API with every pagination dialect, and with faults on request.',
    'lab --port 9000 --size 5000',
    'lab --survey shop/manifest.yaml --stream orders',
  )
    .option('--port <n>', 'the port (default: TURNLEAF_LAB_PORT, or 8082)', portNumber)
    .option('--size <n>', 'records per dataset', positiveNumber)
    .addOption(surveyOption())
    .addOption(configOption())
    .addOption(streamOption('survey this stream; may be repeated (default: the first ten that paginate differently)'))
    .option('--fault <name>', 'survey this fault; may be repeated (default: all faults)', inOrder)
    .option('--json', 'print the survey results as JSON, one per line')
    .addHelpText('after', labFaults)
    .action(runs(async () => (await import('./commands/lab.ts')).runLab))
  command('serve', 'Start builder, API, site and lab, and sync the lab into DuckDB.', 'serve --no-read')
    .option(
      '--host <address>',
      'the address on which builder, API and site listen (default: TURNLEAF_HOST, or 127.0.0.1)',
    )
    .option('--site-port <n>', 'port of the site (default: TURNLEAF_SITE_PORT, or 8080)', portNumber)
    .option('--api-port <n>', 'port of builder and API (default: TURNLEAF_API_PORT, or 8081)', portNumber)
    .option('--lab-port <n>', 'port of the lab (default: TURNLEAF_LAB_PORT, or 8082)', portNumber)
    .option('--no-read', 'do not sync the lab')
    .action(runs(async () => (await import('./commands/serve.ts')).runServe))

  if (args.length === 0) {
    process.stderr.write(program.helpInformation())
    return 2
  }
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0) throw argumentError(error, commandIn(program, args))
  }
  return exitCode
}

/** `connection add`, as far as the arguments name one. */
function commandIn(program: Command, args: readonly string[]): string {
  const names: string[] = []
  for (let at: Command | undefined = program; at !== undefined; ) {
    const commands: readonly Command[] = at.commands
    at = commands.find((known) => known.name() === args[names.length])
    if (at !== undefined) names.push(at.name())
  }
  return names.join(' ')
}

// A copy, so that the lab is not loaded for help; a test compares it with the lab's table.
const labFaults = `
Faults: put /faults/NAME before the path of a dialect, as in /faults/cycle/offset?limit=10
  capped-size, ignored-parameter, rejects-first, requires-first, rate-limit, expired-cursor, repeated-cursor, cycle,
  empty-page, short-page, duplicate-page, inserted-rows, deleted-rows, wrong-total, html, truncated, slow-body,
  foreign-link`
