/** A StateDelegatingStream × the state of an earlier read → the one of its two streams to read now. */
import { ConnectorError } from '../../errors.ts'
import { isComponent } from '../manifest/components.ts'
import type { Component } from '../manifest/manifest.ts'
import { parametersOf, type PlanInput, requiredComponentIn, templateIn, textIn, textOf } from '../plan/read-fields.ts'
import { parseDate } from '../template/dates/airbyte-format.ts'
import { DateTime } from '../template/dates/date-time.ts'
import { parseDuration, subtractDuration } from '../template/dates/duration.ts'
import { pythonText } from '../template/text.ts'

type State = Readonly<Record<string, unknown>>

export type Delegate = {
  readonly stream: Component
  /** The API has forgotten what came after the state: it must not be used, and all is read anew. */
  readonly isStale: boolean
}

/** Any other stream is its own delegate. An empty state is none. */
export function delegateOf(input: PlanInput, stream: Component, state: State | undefined, now: number): Delegate {
  if (!isComponent(stream, 'StateDelegatingStream')) return { stream, isStale: false }
  const whole = requiredComponentIn(input, stream, 'full_refresh_stream')
  const incremental = requiredComponentIn(input, stream, 'incremental_stream')
  refuseOtherNames(input, stream, [whole, incremental])
  if (state === undefined || Object.keys(state).length === 0) return { stream: whole, isStale: false }

  const retention = retentionOf(input, stream)
  if (retention === null) return { stream: incremental, isStale: false }
  const reached = reachedBy(input, whole, state, now) ?? reachedBy(input, incremental, state, now)
  // Where the state cannot be read, reading too much is the safe side.
  const isStale = reached === null || reached.since(oldestKept(input, stream, retention, now)).days < 0
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
  return (template && textOf(input, template, parametersOf(stream))) || null
}

function oldestKept({ manifest }: PlanInput, stream: Component, retention: string, now: number): DateTime {
  try {
    return subtractDuration(DateTime.fromEpochMs(now), parseDuration(retention))
  } catch (cause) {
    const at = manifest.at(stream, 'api_retention_period')
    throw new ConnectorError('plan/invalid-duration', `\`${retention.slice(0, 60)}\` is not a duration.`, { at, cause })
  }
}

/** How far the state says that this stream got; null when it does not say. */
function reachedBy(input: PlanInput, stream: Component, state: State, now: number): DateTime | null {
  const cursor = stream.incremental_sync ?? null
  // A stream without a cursor leaves behind only that it was read to its end.
  if (cursor === null) return state.__ab_no_cursor_state_message ? DateTime.fromEpochMs(now) : null
  if (!isComponent(cursor, 'DatetimeBasedCursor')) throw noTime(input, stream)
  // Streams cut into partitions keep the cursor that holds for all of them under `state`.
  const own = isState(state.state) ? state.state : state
  const text = isState(own) ? newestIn(own, textIn(input, cursor, 'cursor_field') ?? '') : null
  const formats = [cursor.datetime_format, ...(cursor.cursor_datetime_formats ?? [])]
  return text === null ? null : parsed(text, formats)
}

/** `{ cursor: value }`, or Airbyte's list of slices read so far. */
function newestIn(state: State, cursorField: string): string | null {
  const slices = state.state_type === 'date-range' && Array.isArray(state.slices) ? (state.slices as unknown[]) : null
  const [slice] = slices ?? []
  const value = slices === null ? state[cursorField] : isState(slice) && (slice.most_recent_cursor_value ?? slice.end)
  return value === undefined || value === null || value === '' || value === false ? null : pythonText(value)
}

/** Airbyte writes the bounds of slices in ISO 8601, whatever format the cursor has. */
const formatsOfSlices = ['%Y-%m-%dT%H:%M:%S.%fZ', '%Y-%m-%dT%H:%M:%SZ', '%Y-%m-%dT%H:%M:%S%z']

function parsed(text: string, formats: readonly string[]): DateTime | null {
  for (const format of [...formats, ...formatsOfSlices]) {
    try {
      return parseDate(text, format)
    } catch {
      // Not this format: the next one may fit.
    }
  }
  return null
}

function noTime({ manifest }: PlanInput, stream: Component): ConnectorError {
  const message = `\`api_retention_period\` needs a cursor of time; stream "${String(stream.name)}" counts instead.`
  return new ConnectorError('manifest/invalid-value', message, { at: manifest.at(stream, 'incremental_sync') })
}

function isState(value: unknown): value is State {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
