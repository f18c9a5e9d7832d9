/** Commands for the author of a connector: `import`, `detect`, `validate`, `plan`. */
import { type Command, Option } from 'commander'
import {
  type AddCommand,
  configOption,
  inOrder,
  manifestOption,
  positiveNumber,
  requestOptions,
  type Runs,
  someName,
} from './arguments.ts'

export function addBuildCommands(program: Command, add: AddCommand, runs: Runs): void {
  addImportCommands(program, add, runs)
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
    .option(
      '--write <file|folder>',
      'write the manifest to this file, or as manifest.yaml into this folder; an existing file is kept',
    )
    .option('--force', 'overwrite the file of --write')
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

function addImportCommands(program: Command, add: AddCommand, runs: Runs): void {
  const importing = add(
    program,
    'import',
    'Make a connector from a description of an API: OpenAPI, a Postman collection, or a HAR file.',
    'import openapi https://api.example.com/openapi.json',
    'import postman shop.postman_collection.json --only orders',
    'import har shop.har --to shop',
  )
  const load = () => import('./commands/import.ts')
  const of = (name: string, description: string, source: string, ...examples: readonly string[]) =>
    add(importing, name, description, ...examples)
      .argument(`<${name === 'openapi' ? 'file|url' : 'file'}>`, source)
      .option('--to <folder>', 'the folder of the connector (default: the name of the API)', someName)
      .option(
        '--only <stream>',
        'write this stream, with its parents; a name, a path or a pattern such as orders*; may be repeated',
        inOrder,
      )
      .option('--except <stream>', 'do not write this stream; a name, a path or a pattern; may be repeated', inOrder)
      .option('--all', 'write all streams, also more than 200')
      .option('--list', 'print the streams, and write nothing')
      .addOption(configOption())
      .option('--confirm', 'ask the API how each stream is paginated, and correct the proposal')
      .addOption(
        new Option('--max-requests <n>', 'with --confirm, send at most this many requests (default: 100)').argParser(
          positiveNumber,
        ),
      )
      .option('--force', 'overwrite the manifest of an existing folder')
      .option('--json', 'print the report as JSON')
  of(
    'openapi',
    'Make a connector from an OpenAPI 3.0 or 3.1 or a Swagger 2.0 description, in JSON or YAML.',
    'the description: a file, an address, or - for standard input',
    'import openapi openapi.yaml --to shop',
    'import openapi https://api.example.com/openapi.json --list',
    "import openapi openapi.json --only 'orders*' --config config.json --confirm",
  ).action(runs(async () => (await load()).runImportOpenApi))
  of(
    'postman',
    'Make a connector from a Postman collection, v2.0 or v2.1.',
    'the collection: a file, an address, or - for standard input',
    'import postman shop.postman_collection.json',
  ).action(runs(async () => (await load()).runImportPostman))
  of(
    'har',
    'Make a connector from a HAR file, as the network tab of a browser saves it. Secrets become inputs and are not written.',
    'the HAR file, or - for standard input',
    'import har shop.har --only orders',
  ).action(runs(async () => (await load()).runImportHar))
}
