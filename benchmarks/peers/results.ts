/** What a run measured, as benchmarks/peers/results.json keeps it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { median } from '../median.ts'
import type { Rounds } from './measure.ts'

export type WorkloadResult = {
  readonly name: string
  /** Read by each reader in each round. */
  readonly records: number
  readonly seconds: Rounds
}

export type Results = {
  /** The day, UTC. */
  readonly date: string
  readonly machine: { readonly cpu: string; readonly cores: number; readonly system: string }
  readonly versions: Readonly<Record<string, string>>
  readonly workloads: readonly WorkloadResult[]
}

export const resultsFile = 'benchmarks/peers/results.json'

export function readResults(): Results {
  return JSON.parse(readFileSync(resultsFile, 'utf8')) as Results
}

export function writeResults(results: Results): void {
  const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Math.round(value * 1e4) / 1e4 : value)
  writeFileSync(resultsFile, `${JSON.stringify(results, rounded, 2)}\n`)
}

/** Of several rounds: the one in the middle, the lowest and the highest. */
export type Spread = { readonly median: number; readonly lowest: number; readonly highest: number }

function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), lowest: Math.min(...values), highest: Math.max(...values) }
}

export function ratesOf({ records }: WorkloadResult, seconds: readonly number[]): Spread {
  return spreadOf(seconds.map((one) => records / one))
}

export function millisecondsOf(seconds: readonly number[]): Spread {
  return spreadOf(seconds.map((one) => one * 1000))
}

/** How many times as long as Turnleaf: the median over the rounds, since one round has the same neighbours for both. */
export function timesOurs({ seconds }: WorkloadResult, reader: string): number | null {
  const [theirs, ours] = [seconds[reader], seconds['turnleaf']]
  if (theirs === undefined || ours === undefined) return null
  return median(theirs.map((one, round) => one / (ours[round] as number)))
}
