/** How a stream is read and how its records land. */
import { ConnectorError } from '../std/errors.ts'
import { nearMiss } from '../std/text/near-miss.ts'
import type { StreamPlan } from '../engine/plan/stream.ts'
import type { TableMode } from '../destinations/destination.ts'
import type { ChosenStream } from '../protocol/choose-streams.ts'

/** In the order in which they are offered. */
export const syncModes = [
  'full_refresh_overwrite',
  'full_refresh_append',
  'full_refresh_dedup',
  'incremental_append',
  'incremental_dedup',
] as const

export type SyncMode = (typeof syncModes)[number]

/** Written with hyphens or underscores. */
export function syncModeNamed(name: string): SyncMode {
  const plain = name.trim().replaceAll('-', '_')
  const found = syncModes.find((mode) => mode === plain)
  if (found !== undefined) return found
  const near = nearMiss(plain, syncModes, 4)
  const hint = near === undefined ? `The modes are ${syncModes.join(', ')}.` : `Did you mean ${near}?`
  throw new ConnectorError('sync/unknown-mode', `There is no mode "${name}".`, { hint })
}

/** One mode for all streams, or by stream; `*` stands for those that are not named. */
export type AskedModes = SyncMode | Readonly<Record<string, SyncMode>>

/** What was asked for a stream; undefined where nobody asked. */
export function askedMode(asked: AskedModes | undefined, stream: string): SyncMode | undefined {
  if (asked === undefined || typeof asked === 'string') return asked
  return [stream, '*'].filter((name) => Object.hasOwn(asked, name)).map((name) => asked[name])[0]
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

/** What somebody asked for, the catalog's wish, or what suits the stream: only what is new, one row per key. */
export function modeFor(plan: StreamPlan, chosen: ChosenStream, asked: SyncMode | undefined): SyncMode {
  const key = chosen.primaryKey ?? plan.primaryKey
  const hasCursor = plan.slicing.cursor !== null
  const mode = asked ?? modeInCatalog(chosen) ?? (hasCursor ? suitable(key.length > 0) : 'full_refresh_overwrite')
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

function suitable(hasKey: boolean): SyncMode {
  return hasKey ? 'incremental_dedup' : 'incremental_append'
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
      const hint = 'The catalog may say overwrite, append or append_dedup.'
      throw new ConnectorError('sync/unknown-mode', `The catalog wants "${landing}" for stream "${name}".`, { hint })
    }
  }
}
