/** airbyte-cdk as a process that reads one stream after the other; see read_streams.py. */
import { createInterface } from 'node:readline'
import { end, start } from '../../benchmarks/peers/children.ts'
import { environmentVariables, type Environment } from '../../benchmarks/peers/environment.ts'
import type { Config, JsonRecord } from '../../src/engine/plan/plan.ts'
import { isObject } from '../../src/std/values/objects.ts'

export type AirbyteJob = {
  /** A file. */
  readonly manifest: string
  readonly config: Config
  readonly stream: string
  readonly isIncremental: boolean
  /** The bodies of STATE messages. */
  readonly states: readonly unknown[]
  /** When it is, for the whole read. */
  readonly now: string
  readonly port: number
  readonly run: string
}

export type AirbyteRead = {
  readonly records: readonly JsonRecord[]
  /** The body of its last STATE message. */
  readonly state: unknown
  readonly error: string | null
}

export type Airbyte = AsyncDisposable & { read(job: AirbyteJob): Promise<AirbyteRead> }

export async function openAirbyte(environment: Environment): Promise<Airbyte> {
  const child = start([environment.python, 'compat/airbyte/read_streams.py'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: environmentVariables(environment),
  })
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  const line = async () => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error('the process of airbyte-cdk ended')
    return value
  }
  await line()
  return {
    async read(job) {
      child.stdin?.write(`${JSON.stringify(job)}\n`)
      return JSON.parse(await line()) as AirbyteRead
    },
    [Symbol.asyncDispose]: () => end(child),
  }
}

/** What a state message says of its only stream. */
export function streamStateIn(state: unknown): unknown {
  return isObject(state) && isObject(state.stream) ? (state.stream.stream_state ?? null) : null
}
