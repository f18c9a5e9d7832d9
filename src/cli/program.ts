/** Every command with its options, and which file runs it. Commands load when they are called: `read` must start fast. */
import { Command, CommanderError, Option } from 'commander'
import { argumentError, inOrder, portNumber, someName, wholeNumber } from './arguments.ts'
import {
  catalogOption,
  componentsOption,
  concurrencyOption,
  configOption,
  destinationOption,
  manifestOption,
  optionalManifestOption,
  prefetchOption,
  requireOption,
  streamOption,
  surveyOption,
} from './options.ts'
import { packageVersion } from './package.ts'

/** Runs one command; gives back its exit code. */
export async function runCommand(args: readonly string[]): Promise<number> {
  let exitCode = 0
  const runs =
    <Given extends unknown[]>(load: () => Promise<(...given: Given) => Promise<number>>) =>
    async (...given: Given) => {
      exitCode = await (await load())(...given)
    }

  const program = new Command('turnleaf')
    .description('Reads every page of any HTTP API from a declarative manifest.')
    .version(packageVersion(), '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureOutput({ outputError: () => {} })

  const command = (name: string, description: string, ...examples: readonly string[]) =>
    program
      .command(name)
      .description(description)
      .helpOption('--help', 'print this help')
      .addHelpText(
        'after',
        `\nExample${examples.length === 1 ? '' : 's'}:${examples.map((one) => `\n  turnleaf ${one}`).join('')}`,
      )
  const protocol = (name: string, description: string, example: string) =>
    command(name, description, example)
      .addOption(optionalManifestOption())
      .addOption(componentsOption())
      // Airbyte: platforms pass it; our logs have one level.
      .addOption(new Option('--debug').hideHelp())

  protocol('spec', 'Print what a config for the manifest holds.', 'spec --manifest-path shop/manifest.yaml')
    .addOption(new Option('--config <file>').hideHelp())
    .action(runs(async () => (await import('./commands/spec.ts')).runSpec))
  protocol(
    'check',
    'Try whether the config opens the API.',
    'check --manifest-path shop/manifest.yaml --config config.json',
  )
    .addOption(configOption())
    .action(runs(async () => (await import('./commands/check.ts')).runCheck))
  protocol(
    'discover',
    'Print the streams and their schemas.',
    'discover --manifest-path shop/manifest.yaml --config config.json',
  )
    .addOption(configOption())
    .action(runs(async () => (await import('./commands/discover.ts')).runDiscover))
  protocol(
    'read',
    'Read streams; one JSON message per line.',
    'read --manifest-path shop/manifest.yaml --config config.json --stream orders',
  )
    .addOption(configOption())
    .addOption(catalogOption('which streams to read, as a platform writes it'))
    .option('--state <file>', 'where an earlier read stopped')
    .addOption(streamOption('read this stream; may be repeated'))
    .option('--max-pages <n>', 'stop each slice after this many pages', wholeNumber)
    .addOption(prefetchOption())
    .addOption(concurrencyOption())
    .addOption(requireOption())
    .option('--receipts <file>', 'write what each slice and stream proves there, one JSON line each')
    .action(runs(async () => (await import('./commands/read.ts')).runRead))
  command(
    'sync',
    'Land streams in tables, and go on where the last sync stopped, however it stopped.',
    'sync --manifest-path shop/manifest.yaml --config config.json',
    'sync --manifest-path shop/manifest.yaml --config config.json --to jsonl:out --stream orders --mode full-refresh-append',
    'sync --manifest-path shop/manifest.yaml --config config.json --mode orders=incremental-dedup --require complete',
    'sync --manifest-path shop/manifest.yaml --config config.json --to postgres://me@localhost/shop --schema raw --json',
  )
    .addOption(manifestOption())
    .addOption(configOption())
    .addOption(destinationOption())
    .addOption(catalogOption('which streams to sync and how, as a platform writes it'))
    .addOption(streamOption('sync this stream; may be repeated'))
    .option(
      '--mode <[stream=]mode>',
      'full-refresh-overwrite, full-refresh-append, full-refresh-dedup, incremental-append or incremental-dedup, ' +
        'for all streams or for one; may be repeated (default: what suits the stream)',
      inOrder,
    )
    .option('--connection <name>', 'whose tables and states these are (default: the name of the connector)', someName)
    .option('--schema <name>', 'the schema of the database that the tables go to', someName)
    .option('--fresh', 'forget where earlier syncs stopped, and read every stream from its beginning')
    .addOption(prefetchOption())
    .addOption(concurrencyOption())
    .addOption(
      requireOption('a full refresh below this verdict replaces no table that has rows, and exits with 1').default(
        'unproven',
      ),
    )
    .option(
      '--accept-drop',
      'replace tables also where the verdict is too low, or more than half of their rows would be gone',
    )
    .option('--json', 'print what happens as JSON, one event per line')
    .action(runs(async () => (await import('./commands/sync.ts')).runSync))
  command(
    'publish',
    'Publish the rows of a stream that a sync held: they replace the table.',
    'publish orders --to duckdb:shop.duckdb',
  )
    .argument('<stream>', 'the stream')
    .addOption(destinationOption())
    .option('--connection <name>', 'whose rows (default: the only connection that holds rows of the stream)', someName)
    .option('--schema <name>', 'the schema of the database that the tables are in', someName)
    .option('--json', 'print what was done as JSON')
    .action(runs(async () => (await import('./commands/publish.ts')).runPublish))
  command('runs', 'List past syncs with their receipts, newest first.', 'runs --to jsonl:out --connection shop')
    .addOption(destinationOption())
    .option('--connection <name>', 'only the syncs of this connection')
    .option('--schema <name>', 'the schema of the database that the tables went to')
    .option('--limit <n>', 'how many (default: 10)', wholeNumber)
    .option('--json', 'print them as JSON, one per line')
    .action(runs(async () => (await import('./commands/runs.ts')).runRuns))
  command(
    'query',
    'Ask a question about what landed, in SQL; nothing is changed.',
    `query 'select _turnleaf_page, count(*) from orders group by all'`,
  )
    .argument('<sql>', 'the question')
    .addOption(destinationOption())
    .option('--schema <name>', 'the schema of the database that the tables went to')
    .option('--limit <n>', 'how many rows (default: 100)', wholeNumber)
    .option('--json', 'print the rows as JSON, one per line')
    .action(runs(async () => (await import('./commands/query.ts')).runQuery))
  command(
    'plan',
    'Print what a read will do, as JSON; secrets stay templates.',
    'plan --manifest-path shop/manifest.yaml --config config.json --stream orders',
  )
    .addOption(manifestOption())
    .addOption(configOption())
    .option('--stream <name>', 'the stream; may be left out when there is only one')
    .action(runs(async () => (await import('./commands/plan.ts')).runPlan))
  command(
    'diagnose',
    'Find out why a stream misses records, brings them twice or does not end, and mend its manifest.',
    'diagnose --manifest-path shop/manifest.yaml --config config.json --stream orders',
    'diagnose --manifest-path shop/manifest.yaml --config config.json --stream orders --fix',
  )
    .addOption(manifestOption())
    .addOption(configOption())
    .option('--stream <name>', 'the stream; may be left out when there is only one')
    .option('--fix', 'change the manifest where a re-test shows that it helps')
    .option('--max-pages <n>', 'look at this many pages (default: 20)', wholeNumber)
    .option('--max-requests <n>', 'send at most this many requests besides (default: 12)', wholeNumber)
    .option('--json', 'print the diagnosis as JSON')
    .action(runs(async () => (await import('./commands/diagnose.ts')).runDiagnose))
  command('validate', 'Name every problem of a manifest, with line and column.', 'validate shop/manifest.yaml')
    .argument('<manifest>', 'the manifest, the folder that holds it, or - for standard input')
    .option('--json', 'print the problems as JSON')
    .action(runs(async () => (await import('./commands/validate.ts')).runValidate))
  command(
    'detect',
    'Find out how an API is paged, by a few requests, and print a manifest that reads every page.',
    'detect https://api.example.com/v1/orders',
    `detect https://api.example.com/v1/orders --header 'Authorization: Bearer \${SHOP_TOKEN}' --write shop.yaml`,
    `detect https://api.example.com/search --data '{"query": "*"}' --json`,
  )
    .argument('<url>', 'the address, as it stands in a manual; a page or an offset in it will do')
    .addOption(new Option('--method <method>', 'GET, or POST where a body is given').choices(['GET', 'POST']))
    .option('--header <line>', 'a header; ${NAME} is taken from the environment; may be repeated', inOrder)
    .option('--data <json>', 'a JSON body, or @FILE, or @- for standard input')
    .option('--form <field>', 'a field of a form, name=value; may be repeated', inOrder)
    .option('--max-requests <n>', 'ask at most this often (default: 12)', wholeNumber)
    .option('--write <file>', 'write the manifest into a file that is not there yet')
    .option('--force', 'write it even if it is there')
    .option('--json', 'print everything that was found out as JSON')
    .action(runs(async () => (await import('./commands/detect.ts')).runDetect))
  command(
    'lab',
    'Serve a sample API that speaks every pagination dialect, and misbehaves on command.',
    'lab --port 9000 --size 5000',
    'lab --survey shop/manifest.yaml --stream orders',
  )
    .option('--port <n>', 'where to listen (default: TURNLEAF_LAB_PORT, or 8082)', portNumber)
    .option('--size <n>', 'records per dataset', wholeNumber)
    .addOption(surveyOption())
    .addOption(configOption())
    .addOption(streamOption('survey this stream; may be repeated (default: the first ten that turn pages differently)'))
    .option('--fault <name>', 'survey this fault; may be repeated (default: all of them)', inOrder)
    .option('--json', 'print what the survey finds as JSON, one result per line')
    .addHelpText('after', labFaults)
    .action(runs(async () => (await import('./commands/lab.ts')).runLab))
  command(
    'serve',
    'Start builder, API, site and lab, land every stream of the lab in DuckDB, and keep them running.',
    'serve --no-read',
  )
    .option('--host <address>', 'where builder, API and site listen (default: TURNLEAF_HOST, or 127.0.0.1)')
    .option('--site-port <n>', 'port of the site (default: TURNLEAF_SITE_PORT, or 8080)', portNumber)
    .option('--api-port <n>', 'port of builder and API (default: TURNLEAF_API_PORT, or 8081)', portNumber)
    .option('--lab-port <n>', 'port of the lab (default: TURNLEAF_LAB_PORT, or 8082)', portNumber)
    .option('--no-read', 'leave the lab unread')
    .action(runs(async () => (await import('./commands/serve.ts')).runServe))

  if (args.length === 0) {
    process.stderr.write(program.helpInformation())
    return 2
  }
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0)
      throw argumentError(error, program.commands.find((known) => known.name() === args[0])?.name())
  }
  return exitCode
}

// Written out: the table itself is loaded with the lab. A test compares the two.
const labFaults = `
Faults: put /faults/NAME before the path of a dialect, as in /faults/cycle/offset?limit=10
  capped-size, ignored-parameter, rejects-first, requires-first, rate-limit, expired-cursor, repeated-cursor, cycle,
  empty-page, short-page, duplicate-page, inserted-rows, deleted-rows, wrong-total, html, truncated, slow-body,
  foreign-link`
