/** Readers as processes that are kept alive over all rounds; the time of a job is taken inside them, so that their start does not count. */
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { end, start } from './children.ts'
import { type Environment, environmentVariables } from './environment.ts'
import type { Answer } from './read-jobs.ts'
import type { Job, ReaderName } from './workloads.ts'

export type Program = { readonly command: readonly string[]; readonly variables: Readonly<Record<string, string>> }

export type Reader = AsyncDisposable & {
  readonly name: string
  readonly read: (job: Job) => Promise<Answer>
}

export function programsOf(environment: Environment): Record<ReaderName, Program> {
  const variables = environmentVariables(environment)
  const node = (file: string, ...args: string[]) => ({
    command: [process.execPath, `build/benchmarks/peers/${file}`, ...args],
    variables,
  })
  const python = (file: string, ...args: string[]) => ({
    command: [environment.python, `benchmarks/peers/${file}`, ...args],
    variables,
  })
  return {
    turnleaf: node('turnleaf.js'),
    'turnleaf-off': node('turnleaf.js', 'off'),
    undici: node('undici-loop.js'),
    got: node('got-pages.js'),
    dlt: python('dlt_source.py'),
    'dlt-parquet': python('dlt_source.py', 'parquet'),
    'singer-sdk': python('singer_tap.py'),
    'airbyte-cdk': python('airbyte_source.py'),
  }
}

export async function openReader(name: string, { command, variables }: Program): Promise<Reader> {
  const child = start(command, { stdio: ['pipe', 'pipe', 'pipe'], env: variables })
  const errors = lastLines(child)
  // A job for a reader that has ended is reported below, as a missing answer.
  child.stdin?.on('error', () => {})
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  const answer = async () => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error(`${name} ended without an answer:\n${errors()}`)
    return JSON.parse(value) as Answer
  }
  await answer()
  return {
    name,
    read(job) {
      child.stdin?.write(`${JSON.stringify(job)}\n`)
      return answer()
    },
    [Symbol.asyncDispose]: () => end(child),
  }
}

/** What it last printed as an error: its messages are of no interest as long as it works. */
function lastLines(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.on('data', (chunk) => {
    text = (text + String(chunk)).slice(-2000)
  })
  return () => text
}
