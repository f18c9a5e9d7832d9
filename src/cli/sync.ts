/** `turnleaf sync` */
import { isatty } from 'node:tty'
import { validateConfig } from '../engine/config/normalize-config.ts'
import { isCancelled } from '../protocol/failure.ts'
import type { Emit } from '../protocol/messages.ts'
import { customToolsOf } from '../read.ts'
import { stringifyJson } from '../json.ts'
import type { SyncEvent, SyncResult } from '../sync/events.ts'
import { sync } from '../sync/sync.ts'
import { withoutPasswords } from './arguments.ts'
import { type DestinationChoice, destinationFrom, schemaFrom } from './destination-address.ts'
import { openCatalog } from './files.ts'
import { listenForInterrupt } from './interrupt.ts'
import { openSource } from './open-source.ts'
import type { ProtocolOptions, StreamChoice } from './options.ts'
import { outliveReader } from './output.ts'
import { colours, isWatched, say } from './print.ts'
import { connectionAt, modesFrom } from './sync-arguments.ts'
import { type Requirement, sayOutcome, sayReceipts, syncExitCode } from './sync-outcome.ts'
import { showSync } from './sync-progress.ts'
import { reported } from './traced.ts'

export type SyncCommandOptions = ProtocolOptions &
  StreamChoice &
  DestinationChoice & {
    readonly mode?: readonly string[]
    readonly connection?: string
    readonly fresh?: boolean
    readonly require: Requirement
    readonly json?: boolean
  }

export function runSync(given: SyncCommandOptions): Promise<number> {
  return reported(async (learn) => {
    learn(withoutPasswords)
    const { json = false, prefetch, concurrency, stream: streams } = given
    const mode = modesFrom(given.mode)
    const destination = destinationFrom(given)
    const { manifest, config, save } = await openSource(
      given,
      (known) => learn((text) => known(withoutPasswords(text))),
      warnOfConfig,
    )
    const catalog = given.catalog === undefined ? undefined : await openCatalog(given.catalog)
    const warnings = manifest.problems.filter(({ severity }) => severity === 'warning')
    for (const { code, message } of warnings) warn(`${code}: ${message}`)
    for (const text of await validateConfig(manifest, config, customToolsOf(manifest))) warn(text)

    outliveReader()
    const interrupt = listenForInterrupt()
    // Rows would be torn apart by events on the same screen.
    const isLive = isWatched && process.env.TERM !== 'dumb' && !(json && isatty(1))
    const progress = showSync({ isLive })
    interrupt.signal.addEventListener('abort', () =>
      progress.say('Stops: what was read is being committed. Ctrl-C again ends it at once.'),
    )
    const onEvent = (event: SyncEvent) => {
      progress.tell(event)
      if (json) process.stdout.write(`${stringifyJson(event)}\n`)
    }
    let result: SyncResult | null = null
    try {
      result = await sync(manifest, {
        to: destination,
        config,
        isNormalized: true,
        connection: given.connection ?? (await connectionAt(given.manifestPath)),
        catalog,
        streams,
        mode,
        isFresh: given.fresh,
        prefetch,
        concurrency,
        signal: interrupt.signal,
        onConfig: save,
        onEvent,
      })
    } catch (error) {
      if (!isCancelled(error) || interrupt.exitCode() === null) throw error
    } finally {
      sayReceipts(progress.end())
    }
    if (result === null) say('Interrupted before anything was read.')
    else sayOutcome(result, given.require, schemaFrom(given))
    return interrupt.exitCode() ?? (result === null ? 1 : syncExitCode(result, given.require))
  })
}

function warn(text: string): void {
  say(`${colours.yellow('warning')}: ${text}`)
}

/** No platform listens: of the messages about the config only what a person should know is shown. */
const warnOfConfig: Emit = (messages) => {
  for (const message of messages) if (message.type === 'LOG') warn(message.log.message)
}
