/** A query → its answer, from a process that lives for this query only. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ConnectorError } from '../../../std/errors.ts'
import { parseJson, stringifyJson } from '../../../std/json.ts'
import type { QueryResult } from '../../destination.ts'
import type { QueryJob, QueryReply } from './job.ts'

/**
 * @param signal ends the process at once. A reason that is a timeout becomes `destinations/query-time`; any other is thrown.
 */
export async function runProcess(job: QueryJob, signal: AbortSignal): Promise<QueryResult> {
  signal.throwIfAborted()
  const child = spawn(process.execPath, ['--max-old-space-size=512', programFile()], {
    // Nothing of the server's environment: tokens and passwords are there.
    env: { ...(process.env.TZ !== undefined && { TZ: process.env.TZ }) },
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  })
  const end = () => void child.kill('SIGKILL')
  signal.addEventListener('abort', end)
  // A process that died before it read its job: the exit says so.
  child.stdin.on('error', () => {})
  child.stdin.write(`${stringifyJson(job)}\n`)
  try {
    const most = (job.limits.answerMebibytes + 1) * 2 ** 20
    const closed = once(child, 'close').then(
      ([exitCode, exitSignal]: (number | string | null)[]) => String(exitSignal ?? `code ${exitCode}`),
      (error: unknown) => String(error),
    )
    const text = await outputOf(child.stdout, most, end)
    const ending = await closed
    if (signal.aborted) throw endOf(signal)
    return answerIn(text, ending)
  } catch (error) {
    if (signal.aborted) throw endOf(signal)
    throw error
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}

async function outputOf(stdout: NodeJS.ReadableStream, most: number, end: () => void): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of stdout as AsyncIterable<Buffer>) {
    bytes += part.byteLength
    if (bytes > most) end()
    else parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function answerIn(text: string, ending: string): QueryResult {
  const reply = replyIn(text)
  if (reply === null) {
    throw new ConnectorError('destinations/query-died', `The process of the query ended without an answer (${ending}).`)
  }
  if ('answer' in reply) return reply.answer
  const { code, message, hint } = reply.refusal
  throw new ConnectorError(code, message, { hint })
}

function replyIn(text: string): QueryReply | null {
  try {
    return parseJson(text).value as QueryReply
  } catch {
    return null
  }
}

function endOf({ reason }: AbortSignal): unknown {
  if (!(reason instanceof Error) || reason.name !== 'TimeoutError') return reason
  return new ConnectorError('destinations/query-time', 'The query took too long, and was ended.', { cause: reason })
}

/** The program is a file of the build; this module may be part of a bundle, one or two folders away from it. */
function programFile(): string {
  const names = ['js', 'ts'].map((ending) => `destinations/duckdb/apart/query-process.${ending}`)
  for (const above of ['./', '../', '../../', '../../../']) {
    for (const name of names) {
      const file = fileURLToPath(new URL(above + name, import.meta.url))
      if (existsSync(file)) return file
    }
  }
  throw new Error('The program that answers queries is missing from this build.')
}
