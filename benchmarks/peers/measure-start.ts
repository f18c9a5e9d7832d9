/** From the start of a process to its first record on standard output, each by its own command line where it has one. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { end, start } from './children.ts'
import type { Environment } from './environment.ts'
import { type Place, prepareJob, type Rounds } from './measure.ts'
import { type Program, programsOf } from './readers.ts'
import type { Job, ReaderName, Workload } from './workloads.ts'

export async function measureStarts(workload: Workload, environment: Environment, place: Place): Promise<Rounds> {
  const job = prepareJob(workload, place, 'start')
  const programs = commandLines(job, environment, place.folder)
  const seconds = new Map(workload.readers.map((name): [ReaderName, number[]] => [name, []]))
  // The first round warms up: files are read from disk once.
  for (let round = -1; round < workload.rounds; round++) {
    for (const name of workload.readers) {
      const took = await untilFirstRecord(name, programs[name])
      if (round < 0) continue
      seconds.get(name)?.push(took)
      place.report(`  ${name.padEnd(14)}${took.toFixed(2).padStart(8)} s`)
    }
  }
  return Object.fromEntries(seconds)
}

function commandLines(job: Job, environment: Environment, folder: string): Record<ReaderName, Program> {
  const write = (name: string, value: object) => {
    const file = join(folder, name)
    writeFileSync(file, JSON.stringify(value))
    return file
  }
  const file = write('job.json', job)
  const stream = { name: 'items', json_schema: {}, supported_sync_modes: ['full_refresh'] }
  const catalog = write('catalog.json', {
    streams: [{ stream, sync_mode: 'full_refresh', destination_sync_mode: 'append' }],
  })
  const programs = programsOf(environment)
  const withFile = ({ command, variables }: Program) => ({ command: [...command, file], variables })
  const { variables } = programs.turnleaf
  const ours = [process.execPath, 'bin/turnleaf.js', 'read', '--manifest-path', job.manifest, '--stream', 'items']
  const theirs = [environment.airbyteCommand, 'read', '--config', write('config.json', {}), '--catalog', catalog]
  return {
    turnleaf: { command: ours, variables },
    'turnleaf-off': { command: [...ours, '--prefetch', 'off'], variables },
    undici: withFile(programs.undici),
    got: withFile(programs.got),
    dlt: withFile(programs.dlt),
    'dlt-parquet': withFile(programs['dlt-parquet']),
    'singer-sdk': withFile(programs['singer-sdk']),
    'airbyte-cdk': { command: [...theirs, '--manifest-path', job.manifest], variables },
  }
}

async function untilFirstRecord(name: string, { command, variables }: Program): Promise<number> {
  const started = performance.now()
  const child = start(command, { stdio: ['ignore', 'pipe', 'pipe'], env: variables })
  let [output, errors] = ['', '']
  child.stderr?.on('data', (chunk) => {
    errors += String(chunk)
  })
  for await (const chunk of child.stdout ?? []) {
    output += String(chunk)
    if (!output.includes('record 1')) continue
    const seconds = (performance.now() - started) / 1000
    await end(child)
    return seconds
  }
  throw new Error(`${name} ended before its first record:\n${output.slice(-1000)}${errors.slice(-1000)}`)
}
