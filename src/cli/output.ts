/** Messages → lines on standard output, no faster than they are read. */
import { stringifyJson } from '../std/json.ts'
import { type Emit, logMessage, type Message } from '../protocol/messages.ts'
import { isatty } from 'node:tty'
import type { Notice } from '../engine/response/notice.ts'
import { sayRetry } from '../protocol/say.ts'
import { isWatched, oneLine, say } from './terminal/print.ts'

/** One write per call: a page of records is one string. */
export function emitTo(stream: NodeJS.WriteStream, signal?: AbortSignal): Emit {
  // Slices that are read side by side wait together: with a dozen listeners Node warns of a leak.
  let waiting: Promise<void> | null = null
  return (messages: readonly Message[]) => {
    if (messages.length === 0) return undefined
    let text = ''
    for (const message of messages) text += `${stringifyJson(message)}\n`
    if (stream.write(text)) return undefined
    waiting ??= roomIn(stream, signal).finally(() => {
      waiting = null
    })
    return waiting
  }
}

/** Also ends when the read is cancelled: a stalled pipe must not block it. */
function roomIn(stream: NodeJS.WriteStream, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.removeListener('drain', done)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    stream.once('drain', done)
    signal?.addEventListener('abort', done, { once: true })
    if (signal?.aborted) done()
  })
}

/** Waits until everything written has left the process, for at most `patienceMs`. */
export async function flushed(patienceMs?: number): Promise<void> {
  const left = [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve)))
  const waits: Promise<unknown>[] = [Promise.all(left)]
  if (patienceMs !== undefined) waits.push(new Promise((resolve) => setTimeout(resolve, patienceMs)))
  await Promise.race(waits)
}

/** Failed requests that no stream's row shows → LOG messages at once, so that a waiting command does not seem to hang; in words where only standard error is a terminal. */
export function reportRetries(emit: Emit): (notice: Notice) => void {
  const isShown = isWatched && !isatty(1)
  return (notice) => {
    if (notice.kind !== 'retry') return
    const text = sayRetry(notice)
    const sentence = text.charAt(0).toUpperCase() + text.slice(1)
    void emit([logMessage('WARN', sentence)])
    if (isShown) say(oneLine(sentence))
  }
}
