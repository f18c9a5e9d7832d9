/** A StateDelegatingStream × the state of an earlier read → the one of its two streams to read now. */
import { ConnectorError } from '../../std/errors.ts'
import { isObject } from '../../std/values/objects.ts'
import { isComponent } from '../manifest/components.ts'
import type { Component } from '../manifest/manifest.ts'
import {
  durationOf,
  parametersOf,
  type PlanInput,
  requiredComponentIn,
  templateIn,
  textIn,
  evaluatedText,
} from '../plan/read-fields.ts'
import { dateIn } from '../slices/time-axis.ts'
import { isBefore } from '../slices/windows.ts'
import { DateTime } from '../template/dates/date-time.ts'
import { subtractDuration } from '../template/dates/duration.ts'
import type { StreamState } from '../slices/stream-cursor.ts'

export type Delegate = {
  readonly stream: Component
  /** The API has forgotten what came after the state: it must not be used, and all is read anew. */
  readonly isStale: boolean
}

/** Any other stream is read itself. An empty state is none. */
export function delegateOf(input: PlanInput, stream: Component, state: StreamState | undefined, now: number): Delegate {
  if (!isComponent(stream, 'StateDelegatingStream')) return { stream, isStale: false }
  const whole = requiredComponentIn(input, stream, 'full_refresh_stream')
  const incremental = requiredComponentIn(input, stream, 'incremental_stream')
  refuseOtherNames(input, stream, [whole, incremental])
  if (state === undefined || Object.keys(state).length === 0) return { stream: whole, isStale: false }

  const retention = retentionOf(input, stream)
  if (retention === null) return { stream: incremental, isStale: false }
  const reached = reachedBy(input, whole, state, now) ?? reachedBy(input, incremental, state, now)
  // Where the state cannot be read, reading too much is the safe side.
  const isStale = reached === null || isBefore(reached, oldestKept(input, stream, retention, now))
  return { stream: isStale ? whole : incremental, isStale }
}

function refuseOtherNames({ manifest }: PlanInput, stream: Component, parts: readonly Component[]): void {
  const other = parts.find(({ name }) => name !== stream.name)
  if (other === undefined) return
  const message = `The streams of the StateDelegatingStream "${String(stream.name)}" must share its name; one is "${String(other.name)}".`
  throw new ConnectorError('manifest/invalid-value', message, { at: manifest.at(other, 'name') })
}

function retentionOf(input: PlanInput, stream: Component): string | null {
  const template = templateIn(input, stream, 'api_retention_period')
  return (template && evaluatedText(input, template, parametersOf(stream))) || null
}

function oldestKept({ manifest }: PlanInput, stream: Component, retention: string, now: number): DateTime {
  const period = durationOf(retention, manifest.at(stream, 'api_retention_period'))
  return subtractDuration(DateTime.fromEpochMs(now), period)
}

/** How far the state says that this stream got; null when it does not say. */
function reachedBy(input: PlanInput, stream: Component, state: StreamState, now: number): DateTime | null {
  const cursor = stream.incremental_sync ?? null
  // The state of a stream without a cursor only says that it was read to its end.
  if (cursor === null) return state.__ab_no_cursor_state_message ? DateTime.fromEpochMs(now) : null
  if (!isComponent(cursor, 'DatetimeBasedCursor')) throw noTime(input, stream)
  // Streams cut into partitions keep the cursor that holds for all of them under `state`.
  const own = isObject(state.state) ? state.state : state
  const formats = [cursor.datetime_format, ...(cursor.cursor_datetime_formats ?? []), ...formatsOfSlices]
  return dateIn(newestIn(own, textIn(input, cursor, 'cursor_field') ?? ''), formats)
}

/** Airbyte writes the bounds of slices in ISO 8601, whatever format the cursor has. */
const formatsOfSlices = ['%Y-%m-%dT%H:%M:%S.%fZ', '%Y-%m-%dT%H:%M:%SZ', '%Y-%m-%dT%H:%M:%S%z']

/** `{ cursor: value }`, or Airbyte's list of slices read so far. */
function newestIn(state: StreamState, cursorField: string): unknown {
  if (state.state_type !== 'date-range' || !Array.isArray(state.slices)) return state[cursorField]
  const [slice] = state.slices as unknown[]
  return isObject(slice) ? (slice.most_recent_cursor_value ?? slice.end) : null
}

function noTime({ manifest }: PlanInput, stream: Component): ConnectorError {
  const message = `\`api_retention_period\` needs a cursor of time; stream "${String(stream.name)}" counts instead.`
  return new ConnectorError('manifest/invalid-value', message, { at: manifest.at(stream, 'incremental_sync') })
}
