/** `turnleaf connection …` and `turnleaf schedule …`: their commands and options. */
import { type Command, Option } from 'commander'
import {
  type AddCommand,
  configOption,
  connectionArgument,
  destinationOption,
  inOrder,
  requireOption,
  type Runs,
  someName,
  streamOption,
} from './arguments.ts'

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
    'Write a connection to TURNLEAF_HOME/connections/NAME/connection.yaml. Secrets in the config are moved to separate files.',
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

/** Without a value it is TURNLEAF_ON. */
const scheduleOnOption = () =>
  new Option(
    '--on [address]',
    'the schedules in this database of workers, postgres://…, which any worker runs (default: TURNLEAF_ON)',
  )

export function addScheduleCommands(program: Command, add: AddCommand, runs: Runs): void {
  const schedule = add(
    program,
    'schedule',
    'Sync connections at set times. `turnleaf serve` runs the schedules of TURNLEAF_HOME.',
    'schedule add shop --every 1h',
    "schedule add shop --cron '30 6 * * 1-5' --timezone Europe/Berlin",
    'schedule list',
    'schedule add shop --every 1h --on postgres://turnleaf@db.example.com/turnleaf',
  )
  const load = () => import('./commands/schedule.ts')
  const ofOne = (name: string, description: string, example = `schedule ${name} shop`) =>
    add(schedule, name, description, example)
      .argument('<connection>', connectionArgument)
      .addOption(scheduleOnOption())
      .option('--json', name === 'run' ? 'print events as JSON, one per line' : 'print the schedule as JSON')
  ofOne('add', 'Add the schedule of a connection, or replace it.', 'schedule add shop --every 1h')
    .addOption(new Option('--every <time>', 'a number and a unit: 30s, 15m, 1h, 1d, 1w').conflicts('cron'))
    .option('--cron <times>', "minute, hour, day of month, month, day of week: '0 * * * *'")
    .option('--timezone <zone>', 'the time zone of --cron (default: UTC)')
    .option('--webhook <url>', 'POST the result of every run there, as JSON; may be a reference such as ${WEBHOOK}')
    .action(runs(async () => (await load()).runScheduleAdd))
  add(schedule, 'list', 'List schedules with their next time and how the last run ended.', 'schedule list --json')
    .addOption(scheduleOnOption())
    .option('--json', 'print one JSON object per line')
    .action(runs(async () => (await load()).runScheduleList))
  ofOne('pause', 'Pause a schedule; a run in progress continues.').action(
    runs(async () => (await load()).runSchedulePause),
  )
  ofOne('resume', 'Resume a schedule. Missed times are made up for by one run.').action(
    runs(async () => (await load()).runScheduleResume),
  )
  ofOne('remove', 'Remove the schedule of a connection.').action(runs(async () => (await load()).runScheduleRemove))
  ofOne('run', 'Sync the connection now, and store the result as that of its schedule.').action(
    runs(async () => (await load()).runScheduleRun),
  )
}
