/** One workload, all its readers in turn, round by round, so that a noisy neighbour disturbs all alike. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { manifestOf } from './manifest.ts'
import type { Answer } from './read-jobs.ts'
import type { Reader } from './readers.ts'
import { expectedRecords, type Job, jobOf, warmUp, type Workload } from './workloads.ts'

/** Seconds of each round, by reader. */
export type Rounds = Readonly<Record<string, readonly number[]>>

export type Place = {
  /** Where the records come from. */
  readonly url: string
  /** For manifests and databases. */
  readonly folder: string
  /** Takes a line for each round of each reader. */
  readonly report: (line: string) => void
}

/** The first reads of each warm up. Throws when a reader misses a record or gives one twice. */
export async function measureReading(workload: Workload, readers: readonly Reader[], place: Place): Promise<Rounds> {
  const seconds = new Map(readers.map(({ name }): [string, number[]] => [name, []]))
  for (let round = -workload.warmUps; round < workload.rounds; round++) {
    const isWarmUp = round < 0
    for (const reader of readers) {
      const took = await readChecked(reader, isWarmUp ? warmUp(workload) : workload, place, String(round))
      if (!isWarmUp) seconds.get(reader.name)?.push(took)
      place.report(`  ${reader.name.padEnd(14)}${took.toFixed(2).padStart(8)} s${isWarmUp ? ', to warm up' : ''}`)
    }
  }
  return Object.fromEntries(seconds)
}

async function readChecked(reader: Reader, workload: Workload, place: Place, round: string): Promise<number> {
  const job = prepareJob(workload, place, `${reader.name}-${round}`)
  const answer = await reader.read(job)
  checkAnswer(reader.name, workload, answer)
  return answer.seconds
}

/** Writes its manifest. */
export function prepareJob(workload: Workload, { url, folder }: Place, title: string): Job {
  const manifest = join(folder, `${workload.name}.yaml`)
  writeFileSync(manifest, stringify(manifestOf(workload, url)))
  const database = workload.goal === 'write' ? join(folder, `${workload.name}-${title}.duckdb`) : null
  return jobOf(workload, { url, manifest, database })
}

export function checkAnswer(reader: string, workload: Workload, { records, distinct, changed }: Answer): void {
  const expected = expectedRecords(workload)
  const isWhole = records === expected && distinct === expected
  const isChanged = workload.shape === 'plain' || changed === expected
  if (isWhole && isChanged) return
  const got = `${records} records, ${distinct} different ones, ${changed} transformed`
  throw new Error(`${workload.name}: ${reader} gave ${got}, instead of ${expected}`)
}
