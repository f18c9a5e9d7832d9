/** Start, end and step → windows of time, as texts the API understands. */
import { ConnectorError } from '../../errors.ts'
import type { Config, DatePlan, JsonRecord, WindowPlan } from '../plan/plan.ts'
import { formatDate, parseDate } from '../template/dates/airbyte-format.ts'
import { DateTime } from '../template/dates/date-time.ts'
import { addDuration, parseDuration, subtractDuration } from '../template/dates/duration.ts'
import { nowKey } from '../template/template.ts'
import { pythonText } from '../template/text.ts'

export type SliceTools = { readonly config: Config; readonly now: () => number; readonly cursor?: string | undefined }

/** Each window ends one granularity before the next begins, so that no record falls into two. */
export function* windowsOf(plan: WindowPlan, tools: SliceTools): Generator<Record<string, unknown>> {
  const { end } = boundsOf(plan, tools)
  let lower = startOf(plan, tools)
  while (isBefore(lower, end)) {
    const next = plan.step === null ? end : earlier(addDuration(lower, durationOf(plan, plan.step)), end)
    if (!isBefore(lower, next))
      throw new ConnectorError('plan/invalid-duration', `The step \`${plan.step}\` leads nowhere.`, { at: plan.at })
    const isLast = !isBefore(next, end)
    const upper =
      isLast || plan.granularity === null ? next : subtractDuration(next, durationOf(plan, plan.granularity))
    yield { [plan.startField]: formatDate(lower, plan.format), [plan.endField]: formatDate(upper, plan.format) }
    lower = next
  }
}

/** For APIs that cannot filter by time: whether a record lies between start and end. */
export function isWithin(plan: WindowPlan, tools: SliceTools): (record: JsonRecord) => boolean {
  const start = reachedBefore(plan, tools)
  const { end } = boundsOf(plan, tools)
  return (record) => {
    const at = cursorOf(plan, record)
    return at === null || !(isBefore(at, start) || isBefore(end, at))
  }
}

/** The record's own time; null when it has none that can be read. Airbyte: such a record is kept. */
export function cursorOf(plan: WindowPlan, record: JsonRecord): DateTime | null {
  const value = record[plan.cursorField]
  if (value === undefined || value === null) return null
  for (const format of [...plan.cursorFormats, plan.format]) {
    try {
      return parseDate(pythonText(value), format)
    } catch {
      // Not this format: the next one may fit.
    }
  }
  return null
}

function boundsOf(plan: WindowPlan, tools: SliceTools): { start: DateTime; end: DateTime } {
  const now = tools.now()
  const end = plan.end === null ? DateTime.fromEpochMs(now) : dateOf(plan, plan.end, tools.config, now)
  return { start: dateOf(plan, plan.start, tools.config, now), end }
}

/** How far an earlier read got, or the manifest's start. */
export function reachedBefore(plan: WindowPlan, tools: SliceTools): DateTime {
  const { start } = boundsOf(plan, tools)
  return tools.cursor === undefined ? start : later(start, parsed(plan, tools.cursor, plan.format))
}

/** Where this read begins: a lookback before the place an earlier one reached, not before the manifest's start. */
function startOf(plan: WindowPlan, tools: SliceTools): DateTime {
  const { start } = boundsOf(plan, tools)
  if (tools.cursor === undefined || plan.lookback === null) return reachedBefore(plan, tools)
  return later(start, subtractDuration(parsed(plan, tools.cursor, plan.format), durationOf(plan, plan.lookback)))
}

function dateOf(plan: WindowPlan, date: DatePlan, config: Config, now: number): DateTime {
  const scope = { config, parameters: date.parameters, [nowKey]: () => now }
  const evaluate = (template: DatePlan['value']) => pythonText(template.evaluate(scope))
  const bound = (template: DatePlan['min']) => {
    const text = template === null ? '' : evaluate(template)
    return text === '' ? null : parsed(plan, text, date.format)
  }
  const value = parsed(plan, evaluate(date.value), date.format)
  const raised = later(value, bound(date.min) ?? value)
  return earlier(raised, bound(date.max) ?? raised)
}

function parsed(plan: WindowPlan, text: string, format: string): DateTime {
  try {
    return parseDate(text, format)
  } catch (cause) {
    const message = `\`${text.slice(0, 60)}\` is not a date in the format \`${format}\`.`
    throw new ConnectorError('plan/invalid-date', message, { at: plan.at, cause })
  }
}

function durationOf(plan: WindowPlan, text: string) {
  try {
    return parseDuration(text)
  } catch (cause) {
    throw new ConnectorError('plan/invalid-duration', `\`${text.slice(0, 60)}\` is not a duration.`, {
      at: plan.at,
      cause,
    })
  }
}

function isBefore(one: DateTime, other: DateTime): boolean {
  return one.since(other).days < 0
}

function earlier(one: DateTime, other: DateTime): DateTime {
  return isBefore(one, other) ? one : other
}

export function later(one: DateTime, other: DateTime): DateTime {
  return isBefore(one, other) ? other : one
}
