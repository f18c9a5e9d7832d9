/** `turnleaf sync` */
import { isatty } from 'node:tty'
import type { LoadedManifest } from '../../connector/load-manifest.ts'
import { validateConfig } from '../../engine/config/normalize-config.ts'
import { stringifyJson } from '../../std/json.ts'
import { isCancelled } from '../../protocol/failure.ts'
import type { Requirement } from '../../proof/verdict/verdict-name.ts'
import type { Emit } from '../../protocol/messages.ts'
import type { Redact } from '../../protocol/secrets.ts'
import { customToolsOf } from '../../read.ts'
import type { SyncEvent, SyncResult } from '../../sync/events.ts'
import { sync, type SyncOptions } from '../../sync/sync.ts'
import { findConnection, homeFolder } from '../../connections/find-connection.ts'
import { openConnection } from '../../connections/open-connection.ts'
import { withoutPasswords } from '../../destinations/without-passwords.ts'
import { ConnectorError } from '../../std/errors.ts'
import type { ProtocolOptions, StreamChoice } from '../arguments.ts'
import {
  addressFrom,
  type DestinationChoice,
  destinationFrom,
  givenArguments,
  schemaFrom,
  shellWord,
  type Synced,
} from '../destination-address.ts'
import { openCatalog } from '../files.ts'
import { type Interrupt, listenForInterrupt } from '../interrupt.ts'
import { openSource } from '../open-source.ts'
import { ignoreClosedPipe } from '../closed-pipe.ts'
import { colours, isWatched, say } from '../terminal/print.ts'
import { syncExitCode } from '../../sync/exit-code.ts'
import { sayOutcome } from '../terminal/sync-outcome.ts'
import { sayReceipts } from '../terminal/receipts.ts'
import { showProgress } from '../terminal/progress.ts'
import { withFailureReport } from '../report-error.ts'
import { stat } from 'node:fs/promises'
import { basename, dirname, extname, resolve } from 'node:path'
import { type RequestedModes, syncModeNamed } from '../../sync/modes.ts'
import { isReadToEnd, type StreamReceipt } from '../../sync/receipt.ts'

export type SyncCommandOptions = Partial<ProtocolOptions> &
  StreamChoice &
  DestinationChoice & {
    readonly mode?: readonly string[]
    readonly connection?: string
    readonly fresh?: boolean
    readonly require?: Requirement
    readonly acceptDrop?: boolean
    readonly streams?: number
    readonly json?: boolean
    /** True where the address is TURNLEAF_ON. */
    readonly on?: string | true
    readonly detach?: boolean
  }

/** @param name a connection; otherwise `--manifest-path` names a connector. */
export function runSync(name: string | undefined, given: SyncCommandOptions): Promise<number> {
  return syncAndReport(name, given, () => {})
}

/** @param onResult called unless the sync throws; with null where it was interrupted before it had a result. */
export function syncAndReport(
  name: string | undefined,
  given: SyncCommandOptions,
  onResult: (result: SyncResult | null) => void,
  onFailure?: (error: unknown, redact: Redact) => void,
): Promise<number> {
  return withFailureReport(async (learn) => {
    if (given.on !== undefined) return await (await import('./sync-on.ts')).runSyncOn(name, given, learn)
    if (given.detach === true) throw new ConnectorError('cli/arguments', '--detach needs --on.')
    const { json = false } = given
    // Events on the same screen would break up rows that are redrawn.
    const isLive = isWatched && process.env.TERM !== 'dumb' && !(json && isatty(1))
    const progress = showProgress({ isLive })
    const onEvent = (event: SyncEvent) => {
      progress.show(event)
      if (json) process.stdout.write(`${stringifyJson(event)}\n`)
    }
    const warn = (text: string) => progress.say(`${colours.yellow('warning')}: ${text}`)
    let interrupt: Interrupt
    let result: SyncResult | null
    let prepared: Prepared
    try {
      prepared = await (name === undefined ? prepare(given, learn, warn) : prepareConnection(name, given, learn, warn))
      const { manifest, options } = prepared
      ignoreClosedPipe()
      interrupt = listenForInterrupt()
      interrupt.signal.addEventListener('abort', () =>
        progress.say('Stopping: committing what was read. Press Ctrl-C again to stop at once.'),
      )
      result = await unlessInterrupted(sync(manifest, { ...options, signal: interrupt.signal, onEvent }), interrupt)
    } finally {
      sayReceipts(progress.end())
    }
    onResult(result)
    if (result === null) say('Interrupted before anything was read.')
    else {
      sayOutcome(result, prepared.options.require ?? 'unproven', prepared.synced)
      const command = diagnoseCommand(result.receipts, name ?? given)
      if (command !== null) say(`To find out why: ${command}`)
    }
    // A signal that came after the last commit interrupted nothing.
    if (result !== null && result.ending !== 'interrupted') return syncExitCode(result)
    return interrupt.exitCode() ?? 1
  }, onFailure)
}

type Prepared = {
  readonly manifest: LoadedManifest
  readonly options: SyncOptions
  readonly synced: Synced
}

/** What makes a connection what it is cannot be given anew. */
const partsOfConnection = ['manifestPath', 'config', 'to', 'schema', 'connection', 'catalog'] as const

export function refuseParts(name: string, given: SyncCommandOptions): void {
  const part = partsOfConnection.find((one) => given[one] !== undefined)
  if (part === undefined) return
  const option = `--${part.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  throw new ConnectorError('cli/arguments', `${option} cannot be combined with a connection, which has its own.`, {
    hint: `Remove ${option}, or edit the file of the connection; \`npx turnleaf connection show ${name}\` prints it.`,
  })
}

async function prepareConnection(
  name: string,
  given: SyncCommandOptions,
  learn: (redact: Redact) => void,
  warn: (text: string) => void,
): Promise<Prepared> {
  const home = homeFolder()
  // First: the name of a manifest in its place explains the other options too.
  const connection = await findConnection(name, home)
  refuseParts(name, given)
  const opened = await openConnection(connection, {
    home,
    defaultDestination: () => addressFrom(undefined),
    learn,
    warn,
  })
  const { prefetch, concurrency, fresh: isFresh, stream: streams, acceptDrop, streams: streamsAtOnce } = given
  const asked = { prefetch, concurrency, streams, mode: modesFrom(given.mode), require: given.require }
  // An option that is not given leaves what the connection says.
  const changed = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
  return {
    manifest: opened.manifest,
    options: { ...opened.options, ...changed, streamsAtOnce, isFresh, acceptDrop },
    synced: { schema: connection.schema ?? undefined, connection: name },
  }
}

/** Reads what the arguments name, the cheapest first, so that typing errors are reported at once. */
async function prepare(
  given: SyncCommandOptions,
  learn: (redact: Redact) => void,
  warn: (text: string) => void,
): Promise<Prepared> {
  learn(withoutPasswords)
  const { manifestPath } = given
  if (manifestPath === undefined) {
    throw new ConnectorError('cli/arguments', 'Name a connection, or a manifest with --manifest-path.', {
      hint: 'See `npx turnleaf sync --help`, and `npx turnleaf connection list`.',
    })
  }
  const mode = modesFrom(given.mode)
  const to = destinationFrom(given)
  // There is no platform: only the log messages about the config are shown.
  const emit: Emit = (messages) => {
    for (const message of messages) if (message.type === 'LOG') warn(message.log.message)
  }
  const learnBoth = (known: Redact) => learn((text) => known(withoutPasswords(text)))
  const { manifest, config, save, saveAgain } = await openSource(given, learnBoth, emit)
  for (const { severity, code, message } of manifest.problems) if (severity === 'warning') warn(`${code}: ${message}`)
  for (const text of await validateConfig(manifest, config, customToolsOf(manifest))) warn(text)
  const { prefetch, concurrency, fresh: isFresh, stream: streams, require, acceptDrop, streams: streamsAtOnce } = given
  const catalog = given.catalog === undefined ? undefined : await openCatalog(given.catalog)
  const connection = given.connection ?? (await connectionAt(manifestPath))
  const reading = { config, isNormalized: true, onConfig: save, onEnd: saveAgain, prefetch, concurrency }
  return {
    manifest,
    options: { ...reading, to, connection, catalog, streams, streamsAtOnce, mode, isFresh, require, acceptDrop },
    synced: { schema: schemaFrom(given), place: givenArguments(given.to, to.address) },
  }
}

/** Null where it was interrupted before it had a result. */
async function unlessInterrupted(syncing: Promise<SyncResult>, interrupt: Interrupt): Promise<SyncResult | null> {
  try {
    return await syncing
  } catch (error) {
    if (isCancelled(error) && interrupt.exitCode() !== null) return null
    throw error
  }
}

/** `MODE` is for all streams, `STREAM=MODE` for one. Names of streams may contain `=`, modes do not. */
export function modesFrom(given: readonly string[] = []): RequestedModes | undefined {
  if (given.length === 0) return undefined
  return Object.fromEntries(
    given.map((text) => {
      const sign = text.lastIndexOf('=')
      return [sign === -1 ? '*' : text.slice(0, sign), syncModeNamed(text.slice(sign + 1))]
    }),
  )
}

/** `shop` for `shop/manifest.yaml`, for the folder `shop` and for `shop.yaml`. */
export async function connectionAt(manifestPath: string): Promise<string> {
  if (manifestPath === '-') return 'default'
  const path = resolve(manifestPath)
  const isFolder = (await stat(path).catch(() => null))?.isDirectory() === true
  const stem = isFolder ? basename(path) : basename(path, extname(path))
  return (stem === 'manifest' && !isFolder ? basename(dirname(path)) : stem) || 'default'
}

/**
 * The command that diagnoses the first bad stream; null where there is none, or the manifest came from standard input.
 *
 * @param synced the name of the connection, or the options that name the connector.
 */
export function diagnoseCommand(
  receipts: readonly StreamReceipt[],
  synced: string | Partial<ProtocolOptions>,
): string | null {
  const bad = receipts.find(hasBadPages)
  if (bad === undefined) return null
  const source = typeof synced === 'string' ? [synced] : connectorArguments(synced)
  if (source === null) return null
  const args = [...source, '--stream', bad.stream]
  return `npx turnleaf diagnose ${args.map(shellWord).join(' ')}`
}

/** Null for a manifest from standard input. */
function connectorArguments({ manifestPath, config }: Partial<ProtocolOptions>): string[] | null {
  if (manifestPath === undefined || manifestPath === '-') return null
  return ['--manifest-path', manifestPath, ...(config === undefined ? [] : ['--config', config])]
}

/** Other failures have a hint of their own. */
function hasBadPages({ ending, verdict, error }: StreamReceipt): boolean {
  if (ending === 'failed') return error?.code?.startsWith('pagination/') === true
  return isReadToEnd(ending) && (verdict === 'incomplete' || verdict === 'duplicated')
}
