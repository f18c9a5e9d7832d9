/** Runs → a plot of records (bars) and duration (a line), oldest first. */
import type { ConnectorRun } from '../../../server/wire/run.ts'
import { recordsOf, tookMs } from './run-words.ts'

export type PlottedRun = {
  readonly run: string
  readonly startedAt: string
  readonly records: number
  readonly ms: number
  /** The middle of its bar. */
  readonly x: number
  readonly barWidth: number
  readonly barTop: number
  readonly lineY: number
}

export type RunPlot = {
  readonly width: number
  readonly height: number
  readonly runs: readonly PlottedRun[]
  readonly mostRecords: number
  readonly longestMs: number
}

const size = { width: 640, height: 96 }
const mostRuns = 40
const widestBar = 24

/** Null where there is nothing to compare: fewer than two runs that ended. */
export function plotOf(runs: readonly ConnectorRun[]): RunPlot | null {
  const ended = runs
    .map((run) => ({ run: run.run, startedAt: run.startedAt, records: recordsOf(run), ms: tookMs(run) }))
    .filter((one): one is typeof one & { ms: number } => one.ms !== null)
    .slice(0, mostRuns)
    .toReversed()
  if (ended.length < 2) return null
  const mostRecords = Math.max(...ended.map(({ records }) => records))
  const longestMs = Math.max(...ended.map(({ ms }) => ms))
  const step = size.width / ended.length
  const y = (value: number, most: number) => round(size.height - (most === 0 ? 0 : (value / most) * (size.height - 8)))
  return {
    ...size,
    mostRecords,
    longestMs,
    runs: ended.map((one, index) => ({
      ...one,
      x: round(step * (index + 0.5)),
      barWidth: round(Math.min(widestBar, step * 0.6)),
      barTop: y(one.records, mostRecords),
      lineY: y(one.ms, longestMs),
    })),
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
