/** One stream of a sync, and all that it takes to land it. */
import type { OpenDestination } from '../destinations/destination.ts'
import type { Run } from '../engine/run/run.ts'
import type { ChosenStream } from '../protocol/choose-streams.ts'
import type { SyncEvent } from './events.ts'
import type { GateRules } from './gate.ts'
import type { SyncMode } from './modes.ts'
import type { StreamReceipt } from './receipt.ts'
import type { Noted } from './writer.ts'

export type StreamTask = {
  readonly chosen: ChosenStream
  /** The mode that somebody asked for. */
  readonly asked: SyncMode | undefined
  readonly run: Run
  /** What the sync's own run is called. */
  readonly runName: string
  readonly destination: OpenDestination
  /** Equal while the config is, secrets aside. */
  readonly configMark: string
  /** Forget where earlier syncs stopped. */
  readonly isFresh: boolean
  /** When a table may be replaced. */
  readonly gate: GateRules
  /** Other streams of the run may ask for the same pages. */
  readonly isShared: boolean
  readonly reading: {
    readonly signal?: AbortSignal | undefined
    readonly prefetch?: 'auto' | 'off' | number | undefined
    readonly concurrency?: number | undefined
  }
  readonly tell: (event: SyncEvent) => void
  /** The note about the run, with this receipt in it. */
  readonly noteRun: (receipt: StreamReceipt) => Noted
}
