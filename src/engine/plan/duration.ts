/** ISO 8601 text of a manifest → a span of time. */
import { ConnectorError, type SourceLocation } from '../../std/errors.ts'
import { type Duration, parseDuration } from '../template/dates/duration.ts'
import type { TimeDelta } from '../template/dates/time-delta.ts'

/** @example durationOf('P90D', plan.at) */
export function durationOf(text: string, at: SourceLocation): TimeDelta | Duration {
  try {
    return parseDuration(text)
  } catch (cause) {
    throw new ConnectorError('plan/invalid-duration', `\`${text.slice(0, 60)}\` is not a duration.`, { at, cause })
  }
}
