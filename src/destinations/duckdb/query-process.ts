/**
 * A separate program: reads one query from stdin, runs it on a DuckDB file opened read-only, and exits.
 * Whatever a query does to DuckDB affects this process and not the server.
 */
import { writeFileSync, writeSync } from 'node:fs'
import type { QueryResult } from '../destination.ts'
import { type Confinement, openConfined } from './confined.ts'
import { duckdbFailure } from './failures.ts'
import { queryRows } from './query.ts'
import { ConnectorError } from '../../std/errors.ts'
import { parseJson, stringifyJson } from '../../std/json.ts'

const mebibyte = 2 ** 20

async function main(): Promise<void> {
  const job = await readJob()
  preferredVictim()
  watchMemory(job)
  const reply = await replyTo(job)
  const text = stringifyJson(reply)
  const isTooLong = Buffer.byteLength(text) > job.limits.resultMebibytes * mebibyte
  process.stdout.write(isTooLong ? stringifyJson(tooLong(job)) : text, () => process.exit(0))
}

/** The end of the input means that the server is gone: exit. */
function readJob(): Promise<QueryJob> {
  return new Promise((resolve) => {
    let text = ''
    process.stdin.setEncoding('utf8')
    process.stdin.on('data', (part: string) => {
      text += part
      if (text.endsWith('\n')) resolve(parseJson(text).value as QueryJob)
    })
    process.stdin.on('end', endNow)
    process.stdin.on('error', endNow)
  })
}

/** DuckDB's threads would delay a normal exit. */
function endNow(): void {
  process.kill(process.pid, 'SIGKILL')
}

/** If memory runs out, Linux ends this process first. */
function preferredVictim(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000')
  } catch {
    // Only Linux has it.
  }
}

/** DuckDB works in its own threads, so this one is free to watch. */
function watchMemory({ limits }: QueryJob): void {
  const most = limits.processMebibytes * mebibyte
  setInterval(() => {
    if (process.memoryUsage.rss() < most) return
    const message = `The query needs more than ${limits.processMebibytes} MiB of memory.`
    writeSync(1, stringifyJson(refusal('destinations/query-memory', message)))
    endNow()
  }, 20)
}

async function replyTo(job: QueryJob): Promise<QueryReply> {
  try {
    return { answer: await answer(job) }
  } catch (error) {
    if (/out of memory|max_temp_directory_size/i.test(String(error))) {
      const message = `The query needs more than ${job.limits.databaseMebibytes} MiB of memory.`
      return refusal('destinations/query-memory', message)
    }
    const { code, message, hint } = error instanceof ConnectorError ? error : duckdbFailure(error, job.address)
    return { refusal: { code: code as RefusalCode, message, hint } }
  }
}

async function answer({ sql, limit, ...confinement }: QueryJob): Promise<QueryResult> {
  return queryRows(await openConfined(confinement), sql, limit, { isConfined: true })
}

function refusal(code: RefusalCode, message: string): QueryReply {
  return { refusal: { code, message } }
}

function tooLong({ limits }: QueryJob): QueryReply {
  const message = `The result is larger than ${limits.resultMebibytes} MiB.`
  const hint = 'Select fewer columns or rows, or shorten long values: left(column, 1000).'
  return { refusal: { code: 'destinations/query-memory', message, hint } }
}

await main()

export type QueryJob = Confinement & {
  /** The name of the file in messages. */
  readonly address: string
  readonly sql: string
  readonly limit: number
  readonly limits: QueryLimits
}

export type QueryLimits = Confinement['limits'] & {
  /** For the whole process: some operators take more than DuckDB counts. */
  readonly processMebibytes: number
  readonly resultMebibytes: number
}

export type QueryReply =
  | { readonly answer: QueryResult }
  | { readonly refusal: { readonly code: RefusalCode; readonly message: string; readonly hint?: string } }

export type RefusalCode =
  | 'destinations/not-one-select'
  | 'destinations/query-refused'
  | 'destinations/query-memory'
  | 'destinations/unreadable'
  | 'destinations/lost'
  | 'destinations/write-refused'
  | 'destinations/busy'
