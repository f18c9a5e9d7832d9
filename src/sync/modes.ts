/** Sync modes: how a stream is read and how its records are written. */
import { ConnectorError } from '../std/errors.ts'
import { nearMiss } from '../std/text/near-miss.ts'
import { isObject } from '../std/values/objects.ts'
import type { StreamPlan } from '../engine/plan/stream.ts'
import type { TableMode } from '../destinations/destination.ts'
import type { ChosenStream } from '../protocol/choose-streams.ts'
import { type SyncMode, syncModes } from './mode-names.ts'

/** Accepts hyphens or underscores. */
export function syncModeNamed(name: string): SyncMode {
  const plain = name.trim().replaceAll('-', '_')
  const found = syncModes.find((mode) => mode === plain)
  if (found !== undefined) return found
  throw unknownMode(name)
}

function unknownMode(name: unknown): ConnectorError {
  const near = nearMiss(String(name).trim().replaceAll('-', '_'), syncModes, 4)
  const hint = near === undefined ? `The modes are ${syncModes.join(', ')}.` : `Did you mean ${near}?`
  return new ConnectorError('sync/unknown-mode', `There is no mode "${String(name)}".`, { hint })
}

/** One mode for all streams, or by stream; `*` for those that are not named. */
export type RequestedModes = SyncMode | Readonly<Record<string, SyncMode>>

/** A program may pass any text where TypeScript did not check it. */
export function checkModes(requested: RequestedModes | undefined): void {
  if (requested === undefined) return
  const modes: unknown[] = isObject(requested) ? Object.values(requested) : [requested]
  const [unknown] = modes.filter((mode) => !syncModes.some((known) => known === mode))
  if (unknown !== undefined) throw unknownMode(unknown)
}

/** The mode requested for a stream; undefined where none was. */
export function requestedMode(modes: RequestedModes | undefined, stream: string): SyncMode | undefined {
  if (modes === undefined || typeof modes === 'string') return modes
  return [stream, '*'].filter((name) => Object.hasOwn(modes, name)).map((name) => modes[name])[0]
}

export function isIncremental(mode: SyncMode): boolean {
  return mode.startsWith('incremental')
}

export function tableModeOf(mode: SyncMode): TableMode {
  switch (mode) {
    case 'full_refresh_overwrite':
      return 'overwrite'
    case 'full_refresh_append':
    case 'incremental_append':
      return 'append'
    case 'full_refresh_dedup':
    case 'incremental_dedup':
      return 'dedup'
  }
}

/** The requested mode, that of the catalog, or the default: incremental where the stream has a cursor, one row per key. */
export function modeFor(plan: StreamPlan, chosen: ChosenStream, requested: SyncMode | undefined): SyncMode {
  const key = chosen.primaryKey ?? plan.primaryKey
  const hasCursor = plan.slicing.cursor !== null
  const usual = !hasCursor ? 'full_refresh_overwrite' : key.length > 0 ? 'incremental_dedup' : 'incremental_append'
  const mode = requested ?? modeInCatalog(chosen) ?? usual
  if (isIncremental(mode) && !hasCursor) {
    throw new ConnectorError('sync/not-incremental', `Stream "${plan.name}" cannot be read incrementally: ${mode}.`, {
      at: plan.at,
    })
  }
  if (tableModeOf(mode) === 'dedup' && key.length === 0) {
    throw new ConnectorError('sync/no-primary-key', `Stream "${plan.name}" has no primary key: ${mode} needs one.`, {
      at: plan.at,
    })
  }
  return mode
}

function modeInCatalog({ name, isIncremental: isNewOnly, landing }: ChosenStream): SyncMode | undefined {
  switch (landing) {
    case undefined:
      return undefined
    case 'overwrite':
      return 'full_refresh_overwrite'
    case 'append':
      return isNewOnly ? 'incremental_append' : 'full_refresh_append'
    case 'append_dedup':
      return isNewOnly ? 'incremental_dedup' : 'full_refresh_dedup'
    default: {
      const hint = 'Set `destination_sync_mode` to overwrite, append or append_dedup.'
      const message = `The catalog sets the unknown mode "${landing}" for stream "${name}".`
      throw new ConnectorError('sync/unknown-mode', message, { hint })
    }
  }
}
