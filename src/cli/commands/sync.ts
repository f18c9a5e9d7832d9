/** `turnleaf sync` */
import { isatty } from 'node:tty'
import type { LoadedManifest } from '../../connector/load-manifest.ts'
import { validateConfig } from '../../engine/config/normalize-config.ts'
import { stringifyJson } from '../../std/json.ts'
import { isCancelled } from '../../protocol/failure.ts'
import type { Requirement } from '../../proof/verdict/verdict.ts'
import type { Emit } from '../../protocol/messages.ts'
import type { Redact } from '../../protocol/secrets.ts'
import { customToolsOf } from '../../read.ts'
import type { SyncEvent, SyncResult } from '../../sync/events.ts'
import { sync, type SyncOptions } from '../../sync/sync.ts'
import { withoutPasswords } from '../arguments.ts'
import { type DestinationChoice, destinationFrom, schemaFrom } from '../destination-address.ts'
import { openCatalog } from '../files.ts'
import { type Interrupt, listenForInterrupt } from '../interrupt.ts'
import { openSource } from '../open-source.ts'
import type { ProtocolOptions, StreamChoice } from '../options.ts'
import { outliveReader } from '../output.ts'
import { colours, isWatched, say } from '../terminal/print.ts'
import { connectionAt, modesFrom } from './sync-arguments.ts'
import { sayOutcome, sayReceipts, syncExitCode } from '../terminal/sync-outcome.ts'
import { diagnoseCommand } from '../suggest-diagnose.ts'
import { showSync } from '../terminal/sync-progress.ts'
import { reported } from '../report-failure.ts'

export type SyncCommandOptions = ProtocolOptions &
  StreamChoice &
  DestinationChoice & {
    readonly mode?: readonly string[]
    readonly connection?: string
    readonly fresh?: boolean
    readonly require: Requirement
    readonly acceptDrop?: boolean
    readonly json?: boolean
  }

export function runSync(given: SyncCommandOptions): Promise<number> {
  return reported(async (learn) => {
    const { json = false, require: required } = given
    // Rows would be torn apart by events on the same screen.
    const isLive = isWatched && process.env.TERM !== 'dumb' && !(json && isatty(1))
    const progress = showSync({ isLive })
    const onEvent = (event: SyncEvent) => {
      progress.tell(event)
      if (json) process.stdout.write(`${stringifyJson(event)}\n`)
    }
    const warn = (text: string) => progress.say(`${colours.yellow('warning')}: ${text}`)
    let interrupt: Interrupt
    let result: SyncResult | null
    try {
      const { manifest, options } = await prepare(given, learn, warn)
      outliveReader()
      interrupt = listenForInterrupt()
      interrupt.signal.addEventListener('abort', () =>
        progress.say('Stopping: what was read is being committed. Ctrl-C again ends it at once.'),
      )
      result = await unlessInterrupted(sync(manifest, { ...options, signal: interrupt.signal, onEvent }), interrupt)
    } finally {
      sayReceipts(progress.end())
    }
    if (result === null) say('Interrupted before anything was read.')
    else {
      sayOutcome(result, required, schemaFrom(given))
      const command = diagnoseCommand(result.receipts, given)
      if (command !== null) say(`Find out why: ${command}`)
    }
    return interrupt.exitCode() ?? (result === null ? 1 : syncExitCode(result))
  })
}

type Prepared = { readonly manifest: LoadedManifest; readonly options: SyncOptions }

/** Reads what the arguments name, the cheapest first: a slip of the pen should not wait for a file. */
async function prepare(
  given: SyncCommandOptions,
  learn: (redact: Redact) => void,
  warn: (text: string) => void,
): Promise<Prepared> {
  learn(withoutPasswords)
  const mode = modesFrom(given.mode)
  const to = destinationFrom(given)
  // No platform listens: of the messages about the config only what a person should know is shown.
  const emit: Emit = (messages) => {
    for (const message of messages) if (message.type === 'LOG') warn(message.log.message)
  }
  const learnBoth = (known: Redact) => learn((text) => known(withoutPasswords(text)))
  const { manifest, config, save } = await openSource(given, learnBoth, emit)
  for (const { severity, code, message } of manifest.problems) if (severity === 'warning') warn(`${code}: ${message}`)
  for (const text of await validateConfig(manifest, config, customToolsOf(manifest))) warn(text)
  const { prefetch, concurrency, fresh: isFresh, stream: streams, require, acceptDrop } = given
  const catalog = given.catalog === undefined ? undefined : await openCatalog(given.catalog)
  const connection = given.connection ?? (await connectionAt(given.manifestPath))
  const reading = { config, isNormalized: true, onConfig: save, prefetch, concurrency }
  return { manifest, options: { ...reading, to, connection, catalog, streams, mode, isFresh, require, acceptDrop } }
}

/** Null where somebody interrupted it before it had anything to tell. */
async function unlessInterrupted(syncing: Promise<SyncResult>, interrupt: Interrupt): Promise<SyncResult | null> {
  try {
    return await syncing
  } catch (error) {
    if (isCancelled(error) && interrupt.exitCode() !== null) return null
    throw error
  }
}
