/** Durations and dates that do not depend on the config → those that are invalid. */
import { componentsWithin } from '../engine/manifest/components.ts'
import type { Component, Manifest } from '../engine/manifest/manifest.ts'
import { durationOf, componentsIn, type Fields, parametersOf } from '../engine/plan/read-fields.ts'
import { dateIn, formatFault, formatHint } from '../engine/slices/time-axis.ts'
import { parseDateOrNull } from '../engine/template/dates/airbyte-format.ts'
import { DateTime } from '../engine/template/dates/date-time.ts'
import { addDuration } from '../engine/template/dates/duration.ts'
import { compileTemplate } from '../engine/template/template.ts'
import { pythonText } from '../engine/template/text.ts'
import { ConnectorError, type ErrorCode, hints, type Problem } from '../std/errors.ts'
import { messageOf } from '../std/text/message-of.ts'
import { hasTemplate } from './strings-in.ts'

/** Fields that hold an ISO 8601 duration. */
const durations: Readonly<Record<string, readonly string[]>> = {
  DatetimeBasedCursor: ['step', 'cursor_granularity', 'lookback_window'],
  StateDelegatingStream: ['api_retention_period'],
  SessionTokenAuthenticator: ['expiration_duration'],
  FixedWindowCallRatePolicy: ['period'],
}

export function fixedValueProblems(manifest: Manifest, part: Component): Problem[] {
  return [...componentsWithin(part)].flatMap(({ type, node }) => {
    const component = node as Component
    const wrong = (durations[type] ?? []).flatMap((field) => durationProblem(manifest, component, field))
    // Rates may omit their type.
    const rates = componentsIn(component, 'rates').flatMap((rate) => durationProblem(manifest, rate, 'interval'))
    return [...wrong, ...rates, ...(type === 'DatetimeBasedCursor' ? dateProblems(manifest, component) : [])]
  })
}

function durationProblem(manifest: Manifest, component: Component, field: string): Problem[] {
  const text = fixedText(component, field)
  if (text === null || text === '') return []
  const at = manifest.at(component, field)
  try {
    const start = DateTime.fromEpochMs(0)
    const isPositive = addDuration(start, durationOf(text, at)).since(start).compare(nothing) !== 0
    if (isPositive || field !== 'step') return []
    return [wrongValue('plan/invalid-duration', `The \`step\` \`${text}\` is empty.`, at)]
  } catch (error) {
    // A duration too long for the calendar is still a duration.
    return error instanceof ConnectorError ? [wrongValue(error.code, error.message, at)] : []
  }
}

const nothing = DateTime.fromEpochMs(0).since(DateTime.fromEpochMs(0))

function dateProblems(manifest: Manifest, cursor: Component): Problem[] {
  const ownFormat = String(cursor.datetime_format)
  const others = (cursor.cursor_datetime_formats as readonly string[] | undefined) ?? []
  const fault = formatFault(ownFormat, others)
  if (fault !== null) {
    const at = manifest.at(cursor, 'datetime_format')
    return [{ ...wrongValue('manifest/invalid-value', fault, at), hint: formatHint }]
  }
  return [...unreadable(manifest, others), ...wrongDates(manifest, cursor, ownFormat)]
}

/** Airbyte: what one format cannot read is left to the next, so such a format is no error. */
function unreadable(manifest: Manifest, formats: readonly string[]): Problem[] {
  return formats.flatMap((format, index) => {
    try {
      parseDateOrNull('', format)
      return []
    } catch (error) {
      const message = `No date can be read in the format \`${format}\`: ${messageOf(error)}.`
      const problem = wrongValue('manifest/invalid-value', message, manifest.at(formats, index))
      return [{ ...problem, severity: 'warning', hint: formatHint }]
    }
  })
}

function wrongDates(manifest: Manifest, cursor: Component, ownFormat: string): Problem[] {
  return ['start_datetime', 'end_datetime'].flatMap((field) => {
    const date = cursor[field]
    if (typeof date !== 'object' || date === null) return dateProblem(manifest, cursor, field, ownFormat)
    const bounded = date as Component
    const format = (bounded.datetime_format as string | undefined) || ownFormat
    return ['datetime', 'min_datetime', 'max_datetime'].flatMap((bound) =>
      dateProblem(manifest, bounded, bound, format),
    )
  })
}

function dateProblem(manifest: Manifest, holder: Component, field: string, format: string): Problem[] {
  const text = fixedText(holder, field)
  if (text === null || text === '' || hasTemplate(format) || dateIn(literalOf(text), [format]) !== null) return []
  const message = `\`${text.slice(0, 60)}\` is not a date in the format \`${format}\`.`
  return [wrongValue('plan/invalid-date', message, manifest.at(holder, field))]
}

/** As the engine reads it: text that looks like a number becomes one first. */
function literalOf(text: string): string {
  return pythonText(compileTemplate(text).evaluate({}))
}

/** The value of this field if it is literal, or uses parameters only; null where it depends on the config or the clock. */
function fixedText(component: Fields, field: string): string | null {
  const value = component[field]
  if (typeof value !== 'string') return null
  if (!hasTemplate(value)) return value
  if (value.includes('(')) return null
  try {
    const template = compileTemplate(value)
    if (![...template.names].every((name) => name === 'parameters')) return null
    return pythonText(template.evaluate({ config: {}, parameters: parametersOf(component) }))
  } catch {
    // Invalid templates are reported elsewhere.
    return null
  }
}

function wrongValue(code: ErrorCode, message: string, at: Problem['at']): Problem {
  return { code, severity: 'error', message, at, hint: hints[code] }
}
