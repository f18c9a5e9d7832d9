/** The first commands a newcomer needs. */
import { Argument, type Command } from 'commander'
import {
  type AddCommand,
  destinationOption,
  portNumber,
  positiveNumber,
  requestOptions,
  type Runs,
  someName,
} from './arguments.ts'

export function addStartCommands(program: Command, add: AddCommand, runs: Runs): void {
  const init = add(
    program,
    'init',
    'From a URL to a table: detect the pagination, write connector and connection, check them, and sync.',
    'init https://api.example.com/v1/orders',
    "init https://api.example.com/v1/orders --header 'Authorization: Bearer ${SHOP_TOKEN}' --name shop --to postgres://me@localhost/shop",
  ).argument('[url]', 'the URL of a list, as documented by the API; ${NAME} is replaced by the environment variable')
  requestOptions(init)
    .option('--name <name>', 'the name of connector and connection (default: from the URL)', someName)
    .addOption(destinationOption())
    .option(
      '--max-requests <n>',
      'send at most this many requests to detect the pagination (default: 12)',
      positiveNumber,
    )
    .option('--no-sync', 'do not sync')
    .option('-y, --yes', 'ask nothing, also on a terminal')
    .action(runs(async () => (await import('./commands/init.ts')).runInit))
  add(program, 'serve', 'Start builder, API, site and lab, and sync the lab into DuckDB.', 'serve --no-read')
    .option(
      '--host <address>',
      'the address on which builder, API and site listen (default: TURNLEAF_HOST, or 127.0.0.1)',
    )
    .option('--site-port <n>', 'port of the site (default: TURNLEAF_SITE_PORT, or 8080)', portNumber)
    .option('--api-port <n>', 'port of builder and API (default: TURNLEAF_API_PORT, or 8081)', portNumber)
    .option('--lab-port <n>', 'port of the lab (default: TURNLEAF_LAB_PORT, or 8082)', portNumber)
    .option(
      '--collection <from>',
      'a folder or git repository of public connectors to start from (default: TURNLEAF_COLLECTION)',
    )
    .option('--no-read', 'do not sync the lab')
    .action(runs(async () => (await import('./commands/serve.ts')).runServe))
  const connectors = add(
    program,
    'connectors',
    'Start from a public connector: search a folder or a git repository of manifests, and add one.',
    'connectors search stripe --from https://github.com/airbytehq/airbyte',
    'connectors add stripe --from ~/airbyte',
  )
  const load = () => import('./commands/connectors.ts')
  const ofCollection = (name: string, description: string, example: string) =>
    add(connectors, name, description, example)
      .option(
        '--from <place>',
        'a folder of manifests, or the address of a git repository (default: TURNLEAF_COLLECTION)',
      )
      .option('--update', 'fetch the repository again')
  ofCollection(
    'search',
    'List the connectors whose name or title has these words, with their licence.',
    'connectors search shop --from ~/airbyte',
  )
    .argument('[words...]', 'what to search for (default: all)')
    .option('--json', 'print one JSON object per line')
    .action(runs(async () => (await load()).runConnectorsSearch))
  ofCollection(
    'add',
    'Copy a connector to TURNLEAF_HOME/connectors, and print what it needs.',
    'connectors add stripe --from ~/airbyte',
  )
    .argument('<connector>', 'its name, as search prints it')
    .option('--name <name>', 'another name for it', someName)
    .action(runs(async () => (await load()).runConnectorsAdd))
  add(program, 'completion', 'Print a script that completes commands in your shell.', 'completion bash')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .action(runs(async () => (await import('./commands/completion.ts')).runCompletion))
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(
      runs(async () => {
        const { runComplete } = await import('./commands/completion.ts')
        return (words: readonly string[]) => runComplete(program, words)
      }),
    )
}

/** A copy, so that the command is not loaded for help. */
const shells = ['bash', 'zsh', 'fish']
