/** `turnleaf record` and `turnleaf test`: their options. */
import { type Command, Option } from 'commander'
import { configOption, optionalManifestOption, positiveNumber, streamOption } from './arguments.ts'
import { type AddCommand, connectionArgument, type Runs } from './connection-commands.ts'

export function addTestCommands(program: Command, add: AddCommand, runs: Runs): void {
  add(
    program,
    'record',
    'Read some pages and keep the exchanges in the folder of the connector, without secrets, for `turnleaf test`.',
    'record --manifest-path shop/manifest.yaml --config config.json',
    'record shop --stream orders --max-pages 3',
  )
    .argument('[connection]', `${connectionArgument}; instead of --manifest-path`)
    .addOption(optionalManifestOption())
    .addOption(configOption())
    .addOption(streamOption('record this stream; may be repeated (default: all)'))
    .option('--state <file>', 'the state of an earlier read, to begin with')
    .option('--max-pages <n>', 'stop each slice after this many pages (default: 5)', positiveNumber)
    .option('--max-slices <n>', 'stop each stream after this many slices (default: 3)', positiveNumber)
    .option(
      '--records-per-page <n>',
      'request pages of this size where the manifest sends a page size, and cut other pages where that changes nothing (default: 5)',
      positiveNumber,
    )
    .option('--no-survey', 'do not record which faults of an API the manifest survives')
    .action(runs(async () => (await import('./commands/record.ts')).runRecord))
  add(
    program,
    'test',
    'Replay recordings without network and credentials, and compare requests, records, receipts and schemas.',
    'test shop',
    'test --reporter junit --output results.xml',
    'test shop --stream orders --update',
  )
    .argument('[connectors...]', 'folders of connectors (default: all with recordings in the current folder)')
    .addOption(streamOption('test this stream; may be repeated (default: all with a recording)'))
    .option('--update', 'accept the differences: write them to the recordings')
    .option('--no-survey', 'do not compare which faults of an API the manifest survives')
    .addOption(
      new Option('--reporter <name>', 'how results are written').choices(['text', 'tap', 'junit']).default('text'),
    )
    .option('--output <file>', 'write the results to this file instead of standard output')
    .action(runs(async () => (await import('./commands/test.ts')).runConnectorTests))
}
