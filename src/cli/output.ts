/** Messages → lines on standard output, no faster than their reader takes them. */
import { ConnectorError } from '../std/errors.ts'
import { stringifyJson } from '../std/json.ts'
import type { Emit, Message } from '../protocol/messages.ts'
import { reportError } from './report.ts'

/** One write per call, whatever the number of messages: a page of records is one piece of text. */
export function emitTo(stream: NodeJS.WriteStream, signal?: AbortSignal): Emit {
  return (messages: readonly Message[]) => {
    if (messages.length === 0) return undefined
    let text = ''
    for (const message of messages) text += `${stringifyJson(message)}\n`
    return stream.write(text) ? undefined : roomIn(stream, signal)
  }
}

/** Ends as well when the read is cancelled: a reader that stopped reading must not hold it. */
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

let isReaderNeeded = true

/** For commands whose work is not what they print: a reader that leaves does not end them. */
export function outliveReader(): void {
  isReaderNeeded = false
}

/** `turnleaf … | head -1`: the reader has what it wanted, so this is a good end. */
export function endQuietlyWhenUnread(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!isReaderNeeded) return
    if (error.code === 'EPIPE') process.exit(0)
    const message = `Cannot write to standard output: ${error.message}.`
    reportError(new ConnectorError('cli/file', message, { hint: 'Make room, or send the output elsewhere.' }))
    process.exit(1)
  })
  // Words for people that nobody reads are no reason to stop.
  process.stderr.on('error', () => {})
}

/** Everything written so far has left this process, or `patienceMs` have passed. */
export async function flushed(patienceMs?: number): Promise<void> {
  const left = [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve)))
  const waits: Promise<unknown>[] = [Promise.all(left)]
  if (patienceMs !== undefined) waits.push(new Promise((resolve) => setTimeout(resolve, patienceMs)))
  await Promise.race(waits)
}
