/** One run of a connection → how it ended; it never throws. */
import type { Connection } from '../connections/connection.ts'
import { findConnection } from '../connections/find-connection.ts'
import { openConnection, type OpeningOptions } from '../connections/open-connection.ts'
import type { Network } from '../engine/response/send.ts'
import { isCancelled, isFault, redactedError } from '../protocol/failure.ts'
import type { Redact } from '../protocol/secrets.ts'
import { hasCode } from '../std/errors.ts'
import { syncExitCode } from '../sync/exit-code.ts'
import type { SyncEvent, SyncResult } from '../sync/events.ts'
import { type ShownError, shownError, type StreamReceipt } from '../sync/receipt.ts'
import { sync } from '../sync/sync.ts'
import type { EndedRun } from './decide.ts'
import { withoutPasswords } from '../destinations/without-passwords.ts'

export type RunOutcome = EndedRun & { readonly receipts: readonly StreamReceipt[] }

export type RunningOptions = Omit<OpeningOptions, 'learn'> & {
  readonly signal: AbortSignal
  /** Opened after the references are filled in; that of `turnleaf sync` when absent. */
  readonly openNetwork?: (() => Network) | undefined
  readonly onEvent?: ((event: SyncEvent) => void) | undefined
}

export async function runConnection(name: string, options: RunningOptions): Promise<RunOutcome> {
  let redact: Redact = withoutPasswords
  try {
    const connection: Connection = await findConnection(name, options.home)
    const { manifest, options: prepared } = await openConnection(connection, {
      ...options,
      learn: (known) => (redact = known),
    })
    const network = options.openNetwork?.()
    try {
      const { signal, onEvent } = options
      const guarded = network === undefined ? prepared : { ...prepared, network }
      return runOutcome(await sync(manifest, { ...guarded, signal, onEvent }))
    } finally {
      await network?.close()
    }
  } catch (error) {
    return failureOutcome(error, redact, options.signal.aborted)
  }
}

export function runOutcome(result: SyncResult): RunOutcome {
  const { ending, run, receipts } = result
  // A stream that was stopped has an error that says so, and nothing is wrong.
  const failed = receipts.find((receipt) => receipt.ending !== 'cancelled' && receipt.error !== undefined)?.error
  return {
    status: ending,
    exitStatus: ending === 'interrupted' ? null : syncExitCode(result),
    run,
    error: failed === undefined ? null : shownFailure(failed),
    receipts,
  }
}

/** A sync that could not start, or was stopped before it had a result. */
export function failureOutcome(thrown: unknown, redact: Redact, isAborted: boolean): RunOutcome {
  const nothing = { run: null, receipts: [] }
  if (isCancelled(thrown) && isAborted) return { ...nothing, status: 'interrupted', exitStatus: null, error: null }
  const isBusy = hasCode(thrown, 'destinations/busy')
  return {
    ...nothing,
    status: isBusy ? 'busy' : 'failed',
    exitStatus: isFault(thrown) ? 2 : 1,
    error: shownFailure(shownError(redactedError(thrown, redact))),
  }
}

function shownFailure({ code = 'unexpected', message, hint = '' }: ShownError): NonNullable<EndedRun['error']> {
  return { code, message, hint }
}
