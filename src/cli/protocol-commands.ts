/** The commands of the Airbyte protocol: `spec`, `check`, `discover`, `read`. */
import { type Command, Option } from 'commander'
import {
  type AddCommand,
  catalogOption,
  componentsOption,
  concurrencyOption,
  configOption,
  optionalManifestOption,
  positiveNumber,
  prefetchOption,
  requireOption,
  type Runs,
  streamOption,
} from './arguments.ts'

export function addProtocolCommands(program: Command, add: AddCommand, runs: Runs): void {
  const protocol = (name: string, description: string, example: string) =>
    add(program, name, description, example)
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
}
