/** Options that several commands have, each said once. */
import { Option } from 'commander'
import { requirements } from '../proof/verdict/verdict.ts'
import { inOrder, prefetch, wholeNumber } from './arguments.ts'

export type ProtocolOptions = { readonly manifestPath: string; readonly config?: string }

/** The same for commands that a platform runs: the manifest may come in the config instead. */
export type SourceOptions = Partial<ProtocolOptions> & { readonly componentsPath?: string }

/** How streams are chosen and read, by `read` and `sync` alike. */
export type StreamChoice = {
  readonly catalog?: string
  readonly stream?: readonly string[]
  readonly prefetch?: 'auto' | 'off' | number
  readonly concurrency?: number
}

export const manifestOption = () => optionalManifestOption().makeOptionMandatory()

export const optionalManifestOption = () =>
  new Option('--manifest-path <file>', 'the manifest, or the folder that holds it')

/** Airbyte: platforms pass it for connectors with Python classes. */
export const componentsOption = () => new Option('--components-path <file>').hideHelp()

export const configOption = () => new Option('--config <file>', 'values the manifest asks for, JSON or YAML')

export const catalogOption = (says: string) => new Option('--catalog <file>', says).conflicts('stream')

export const streamOption = (says: string) => new Option('--stream <name>', says).argParser(inOrder)

export const prefetchOption = () =>
  new Option(
    '--prefetch <how>',
    'auto: ask for the next page while this one is used; off: only when it is wanted',
  ).argParser(prefetch)

export const concurrencyOption = () =>
  new Option(
    '--concurrency <n>',
    'read this many slices of a stream side by side (default: as the manifest says, or 4)',
  ).argParser(wholeNumber)

export const requireOption = (says = 'exit with 1 when the verdict on a stream is worse than this') =>
  new Option('--require <verdict>', says).choices(requirements)

/** Where records land. Said in the environment, a password stands in no list of processes. */
export const destinationOption = () =>
  new Option(
    '--to <address>',
    'duckdb:FILE, parquet:FOLDER, jsonl:FOLDER or postgres://… (default: TURNLEAF_TO, or duckdb:turnleaf.duckdb)',
  )

export const surveyOption = () =>
  new Option(
    '--survey <manifest>',
    'read the manifest from a local API that misbehaves, and print which faults it survives',
  ).conflicts(['port', 'size'])
