/** Commands that prove a connector: `diagnose`, `lab`, `record`, `test`. */
import { type Command, Option } from 'commander'
import {
  type AddCommand,
  configOption,
  connectionArgument,
  inOrder,
  optionalManifestOption,
  portNumber,
  positiveNumber,
  type Runs,
  streamOption,
  surveyOption,
} from './arguments.ts'

export function addProofCommands(program: Command, add: AddCommand, runs: Runs): void {
  add(
    program,
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
  add(
    program,
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
  addTestCommands(program, add, runs)
}

// A copy, so that the lab is not loaded for help; a test compares it with the lab's table.
const labFaults = `
Faults: put /faults/NAME before a path, as in /faults/cycle/offset?limit=10
  capped-size, ignored-parameter, rejects-first, requires-first, rate-limit,
  expired-cursor, repeated-cursor, cycle, empty-page, short-page,
  duplicate-page, inserted-rows, deleted-rows, wrong-total, html, truncated,
  slow-body, foreign-link`

function addTestCommands(program: Command, add: AddCommand, runs: Runs): void {
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
