/** Commands for the author of a connector: `detect`, `validate`, `plan`, `diagnose`, `lab`. */
import type { Command } from 'commander'
import {
  configOption,
  inOrder,
  manifestOption,
  optionalManifestOption,
  portNumber,
  positiveNumber,
  requestOptions,
  streamOption,
  surveyOption,
} from './arguments.ts'
import { type AddCommand, type Runs, connectionArgument } from './connection-commands.ts'

export function addBuildCommands(program: Command, add: AddCommand, runs: Runs): void {
  const detect = add(
    program,
    'detect',
    'Detect the pagination of an API with a few requests, and print a manifest that reads every page.',
    'detect https://api.example.com/v1/orders',
    `detect https://api.example.com/v1/orders --header 'Authorization: Bearer \${SHOP_TOKEN}' --write shop.yaml`,
    `detect https://api.example.com/search --data '{"query": "*"}' --json`,
  ).argument('<url>', 'the URL, as documented by the API; it may contain a page number or an offset')

  requestOptions(detect)
    .option('--max-requests <n>', 'send at most this many requests (default: 12)', positiveNumber)
    .option('--write <file>', 'write the manifest to this file, which must not exist')
    .option('--force', 'overwrite an existing file')
    .option('--json', 'print the result as JSON')
    .action(runs(async () => (await import('./commands/detect.ts')).runDetect))
  add(program, 'validate', 'List every problem of a manifest, with line and column.', 'validate shop/manifest.yaml')
    .argument('<manifest>', 'the manifest, its folder, or - for standard input')
    .option('--json', 'print the problems as JSON')
    .action(runs(async () => (await import('./commands/validate.ts')).runValidate))
  add(
    program,
    'plan',
    'Print the plan of a stream as JSON, without secrets.',
    'plan --manifest-path shop/manifest.yaml --config config.json --stream orders',
  )
    .addOption(manifestOption())
    .addOption(configOption())
    .option('--stream <name>', 'the stream; optional when there is only one')
    .action(runs(async () => (await import('./commands/plan.ts')).runPlan))
}

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
}

// A copy, so that the lab is not loaded for help; a test compares it with the lab's table.
const labFaults = `
Faults: put /faults/NAME before a path, as in /faults/cycle/offset?limit=10
  capped-size, ignored-parameter, rejects-first, requires-first, rate-limit,
  expired-cursor, repeated-cursor, cycle, empty-page, short-page,
  duplicate-page, inserted-rows, deleted-rows, wrong-total, html, truncated,
  slow-body, foreign-link`
