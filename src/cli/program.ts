/** Every command with its options, and which file runs it. Commands load when they are called: `read` must start fast. */
import { Command, CommanderError, Option } from 'commander'
import { argumentError, portNumber, prefetch, wholeNumber } from './arguments.ts'
import { packageVersion } from './package.ts'

export type ProtocolOptions = { readonly manifestPath: string; readonly config?: string }
export type ReadCommandOptions = ProtocolOptions & {
  readonly catalog?: string
  readonly state?: string
  readonly stream?: readonly string[]
  readonly maxPages?: number
  readonly prefetch?: 'auto' | 'off' | number
  readonly concurrency?: number
}

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

  const command = (name: string, description: string, example: string) =>
    program
      .command(name)
      .description(description)
      .helpOption('--help', 'print this help')
      .addHelpText('after', `\nExample:\n  turnleaf ${example}`)
  const protocol = (name: string, description: string, example: string) =>
    command(name, description, example)
      .requiredOption('--manifest-path <file>', 'the manifest, or the folder that holds it')
      // Airbyte: platforms pass it; our logs have one level.
      .addOption(new Option('--debug').hideHelp())

  protocol('spec', 'Print what a config for the manifest holds.', 'spec --manifest-path shop/manifest.yaml')
    .addOption(new Option('--config <file>').hideHelp())
    .action(runs(async () => (await import('./spec.ts')).runSpec))
  protocol(
    'check',
    'Try whether the config opens the API.',
    'check --manifest-path shop/manifest.yaml --config config.json',
  )
    .option('--config <file>', 'values the manifest asks for, JSON or YAML')
    .action(runs(async () => (await import('./check.ts')).runCheck))
  protocol(
    'discover',
    'Print the streams and their schemas.',
    'discover --manifest-path shop/manifest.yaml --config config.json',
  )
    .option('--config <file>', 'values the manifest asks for, JSON or YAML')
    .action(runs(async () => (await import('./discover.ts')).runDiscover))
  protocol(
    'read',
    'Read streams; one JSON message per line.',
    'read --manifest-path shop/manifest.yaml --config config.json --stream orders',
  )
    .option('--config <file>', 'values the manifest asks for, JSON or YAML')
    .addOption(new Option('--catalog <file>', 'which streams to read, as a platform writes it').conflicts('stream'))
    .option('--state <file>', 'where an earlier read stopped')
    .option('--stream <name>', 'read this stream; may be repeated', (name, names?: string[]) => [
      ...(names ?? []),
      name,
    ])
    .option('--max-pages <n>', 'stop each slice after this many pages', wholeNumber)
    .option(
      '--prefetch <how>',
      'auto: ask for the next page while this one is used; off: only when it is wanted',
      prefetch,
    )
    .option(
      '--concurrency <n>',
      'read this many slices of a stream side by side (default: as the manifest says, or 4)',
      wholeNumber,
    )
    .action(runs(async () => (await import('./read.ts')).runRead))
  command(
    'plan',
    'Print what a read will do, as JSON; secrets stay templates.',
    'plan --manifest-path shop/manifest.yaml --config config.json --stream orders',
  )
    .requiredOption('--manifest-path <file>', 'the manifest, or the folder that holds it')
    .option('--config <file>', 'values the manifest asks for, JSON or YAML')
    .option('--stream <name>', 'the stream; may be left out when there is only one')
    .action(runs(async () => (await import('./plan.ts')).runPlan))
  command('validate', 'Name every problem of a manifest, with line and column.', 'validate shop/manifest.yaml')
    .argument('<manifest>', 'the manifest, the folder that holds it, or - for standard input')
    .option('--json', 'print the problems as JSON')
    .action(runs(async () => (await import('./validate.ts')).runValidate))
  command('lab', 'Serve a sample API that speaks every pagination dialect.', 'lab --port 9000 --size 5000')
    .option('--port <n>', 'where to listen (default: TURNLEAF_LAB_PORT, or 8082)', portNumber)
    .option('--size <n>', 'records per dataset', wholeNumber)
    .action(runs(async () => (await import('./lab.ts')).runLab))
  command('serve', 'Start site, API and lab, read every stream of the lab, and keep them running.', 'serve --no-read')
    .option('--host <address>', 'where site and API listen (default: TURNLEAF_HOST, or 127.0.0.1)')
    .option('--site-port <n>', 'port of the site (default: TURNLEAF_SITE_PORT, or 8080)', portNumber)
    .option('--api-port <n>', 'port of the API (default: TURNLEAF_API_PORT, or 8081)', portNumber)
    .option('--lab-port <n>', 'port of the lab (default: TURNLEAF_LAB_PORT, or 8082)', portNumber)
    .option('--no-read', 'do not read the lab')
    .action(runs(async () => (await import('./serve.ts')).runServe))

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
