/** `turnleaf connection …`: its commands and their options. */
import { type Command, Option } from 'commander'
import { configOption, destinationOption, inOrder, requireOption, someName, streamOption } from './arguments.ts'

/** Runs a command that is loaded when it is called. */
export type Runs = <Given extends unknown[]>(
  load: () => Promise<(...given: Given) => Promise<number>>,
) => (...given: Given) => Promise<void>

/** Adds a command with its examples to another. */
export type AddCommand = (parent: Command, name: string, description: string, ...examples: readonly string[]) => Command

export const connectionArgument = 'the name of a connection in TURNLEAF_HOME/connections, or the path of its folder'

export function addConnectionCommands(program: Command, add: AddCommand, runs: Runs): void {
  const connection = add(
    program,
    'connection',
    'Manage connections: a connector with its config, written to one destination.',
    'connection add shop --connector shop --config config.yaml --to duckdb:shop.duckdb',
    'connection check shop',
    'sync shop',
  )
  const load = () => import('./commands/connection.ts')
  add(
    connection,
    'add',
    'Write a connection to TURNLEAF_HOME/connections/NAME/connection.yaml. Secrets in the config are moved to files of their own.',
    'connection add shop --connector shop --config config.yaml --stream orders --mode orders=incremental-dedup',
    "connection add lab --connector ./connectors/lab --to 'postgres://loader:${PASSWORD}@localhost/shop' --require complete",
  )
    .argument('<name>', 'the name: lower-case letters, digits, - and _')
    .addOption(
      new Option(
        '--connector <name|path>',
        'a connector in TURNLEAF_HOME/connectors, or the path of a manifest or its folder, such as ./shop',
      ).makeOptionMandatory(),
    )
    .addOption(configOption())
    .addOption(destinationOption())
    .option('--schema <name>', 'the database schema of the tables', someName)
    .addOption(streamOption('sync this stream; may be repeated (default: all)'))
    .option('--mode <[stream=]mode>', 'how streams are read and written, as for sync; may be repeated', inOrder)
    .addOption(requireOption('the lowest verdict that is accepted, as for sync'))
    .option('--json', 'print the connection as JSON')
    .action(runs(async () => (await load()).runConnectionAdd))
  add(connection, 'list', 'List the connections of TURNLEAF_HOME.', 'connection list --json')
    .option('--json', 'print one JSON object per line')
    .action(runs(async () => (await load()).runConnectionList))
  add(connection, 'show', 'Print a connection, with secrets hidden.', 'connection show shop')
    .argument('<connection>', connectionArgument)
    .option('--json', 'print it as JSON')
    .action(runs(async () => (await load()).runConnectionShow))
  add(
    connection,
    'check',
    'Check that references resolve, the connector loads, the API accepts the config and the destination opens.',
    'connection check shop',
  )
    .argument('<connection>', connectionArgument)
    .option('--json', 'print the result as JSON')
    .action(runs(async () => (await load()).runConnectionCheck))
  add(connection, 'remove', 'Move a connection to the trash. Its tables stay.', 'connection remove shop')
    .argument('<name>', 'the name of the connection')
    .option('--json', 'print the result as JSON')
    .action(runs(async () => (await load()).runConnectionRemove))
}
