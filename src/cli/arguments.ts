/** Command-line arguments: how commands are added, options that several of them share, their parsers, and errors about them. */
import { type Command, type CommanderError, InvalidArgumentError, Option } from 'commander'
import { withoutPasswords } from '../destinations/without-passwords.ts'
import type { Prefetch } from '../engine/pages/stream.ts'
import { ConnectorError } from '../std/errors.ts'
import { requirements } from '../proof/verdict/verdict-name.ts'

/** Adds a command with its examples to another. */
export type AddCommand = (parent: Command, name: string, description: string, ...examples: readonly string[]) => Command

/** Runs a command that is loaded when it is called. */
export type Runs = <Given extends unknown[]>(
  load: () => Promise<(...given: Given) => Promise<number>>,
) => (...given: Given) => Promise<void>

export function positiveNumber(text: string): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value > 0) return value
  throw new InvalidArgumentError('It must be a whole number, 1 or more.')
}

export function zeroOrMore(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number, 0 or more.')
}

export function portNumber(text: string): number {
  if (isPort(text)) return Number(text)
  throw new InvalidArgumentError('A port is a whole number from 0 (any free one) to 65535.')
}

export function isPort(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) <= 65_535
}

function prefetch(text: string): Prefetch {
  if (text === 'auto' || text === 'off') return text
  if (/^\d+$/.test(text)) return positiveNumber(text)
  throw new InvalidArgumentError('It must be auto, off, or the number of pages to request ahead.')
}

export function someName(text: string): string {
  if (text.trim() !== '') return text
  throw new InvalidArgumentError('A name must not be empty.')
}

/** An option that may be repeated. */
export function inOrder(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

/** The parser's error as a ConnectorError; its suggestion becomes the hint. */
export function argumentError(
  { message, code }: CommanderError,
  command: Command,
  args: readonly string[],
): ConnectorError {
  const [, complaint = message, suggestion] = /^(?:error: )?(.*?)(?:\n\((.*)\))?$/s.exec(message) ?? []
  const sentence = withoutPasswords(complaint.charAt(0).toUpperCase() + complaint.slice(1))
  const hint = code === 'commander.excessArguments' ? manifestHint(command, args) : portHint(command, complaint)
  return new ConnectorError('cli/arguments', /[.?!]$/.test(sentence) ? sentence : `${sentence}.`, {
    hint: hint ?? suggestion ?? `See \`${['npx', ...namesOf(command), '--help'].join(' ')}\`.`,
  })
}

/** `read shop.yaml`: other tools take the file without an option. */
function manifestHint(command: Command, args: readonly string[]): string | undefined {
  const file = args.find((one) => /^[^-].*\.(?:ya?ml|json)$/i.test(one))
  const isTaken = command.options.some(({ long }) => long === '--manifest-path')
  return isTaken && file !== undefined ? `Write --manifest-path ${file}.` : undefined
}

/** The parser suggests --host, which is spelled most like it. */
function portHint(command: Command, complaint: string): string | undefined {
  const isPortOfServe = command.name() === 'serve' && complaint.includes("'--port")
  return isPortOfServe ? 'Did you mean --api-port or --site-port?' : undefined
}

/** `turnleaf connection add` */
function namesOf(command: Command): string[] {
  return [...(command.parent === null ? [] : namesOf(command.parent)), command.name()]
}

export type ProtocolOptions = { readonly manifestPath: string; readonly config?: string }

/** For commands that a platform runs: the manifest may be part of the config instead. */
export type SourceOptions = Partial<ProtocolOptions> & { readonly componentsPath?: string }

/** How streams are chosen and read, by `read` and `sync` alike. */
export type StreamChoice = {
  readonly catalog?: string
  readonly stream?: readonly string[]
  readonly prefetch?: Prefetch
  readonly concurrency?: number
}

export const connectionArgument = 'the name of a connection in TURNLEAF_HOME/connections, or the path of its folder'

export const manifestOption = () => optionalManifestOption().makeOptionMandatory()

export const optionalManifestOption = () => new Option('--manifest-path <file>', 'the manifest, or its folder')

/** Airbyte: platforms pass it for connectors with Python classes. */
export const componentsOption = () => new Option('--components-path <file>').hideHelp()

export const configOption = () =>
  new Option('--config <file>', 'the config, JSON or YAML; values may be ${NAME}, a variable, or file:PATH')

export const catalogOption = (says: string) => new Option('--catalog <file>', says).conflicts('stream')

export const streamOption = (says: string) => new Option('--stream <name>', says).argParser(inOrder)

export const prefetchOption = () =>
  new Option(
    '--prefetch <how>',
    'auto: request pages ahead, up to 16 where they can be counted; off: request each page when it is needed; N: up to N ahead',
  ).argParser(prefetch)

export const concurrencyOption = () =>
  new Option(
    '--concurrency <n>',
    'how many slices to read, and requests to send, at once (default: set by the manifest, or 4 slices and 16 requests)',
  ).argParser(positiveNumber)

export const streamsOption = () =>
  new Option(
    '--streams <n>',
    'how many streams to read at once; 1 reads them in order (default: as --concurrency)',
  ).argParser(positiveNumber)

export const requireOption = (says = 'exit with 1 when a stream is below this verdict') =>
  new Option('--require <verdict>', says).choices(requirements)

/** Passwords belong in the environment: other users of the machine can see the arguments of a process. */
export const destinationOption = () =>
  new Option(
    '--to <address>',
    'duckdb:FILE, parquet:FOLDER, jsonl:FOLDER or postgres://… (default: TURNLEAF_TO, or duckdb:turnleaf.duckdb)',
  )

export const onOption = () =>
  new Option('--on <address>', 'the Postgres database of the workers, postgres://… (default: TURNLEAF_ON)')

export const surveyOption = () =>
  new Option(
    '--survey <manifest>',
    'read the manifest from a local API with faults, and print which of them it survives',
  ).conflicts(['port', 'size'])

/** One request, as `detect` and `init` take it. */
export function requestOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--method <method>', 'the HTTP method (default: POST with a body, otherwise GET)').choices([
        'GET',
        'POST',
      ]),
    )
    .option('--header <line>', 'a header; ${NAME} is replaced by the environment variable; may be repeated', inOrder)
    .option('--data <json>', 'a JSON body, @FILE, or @- for standard input')
    .option('--form <field>', 'a form field, name=value; may be repeated', inOrder)
}
