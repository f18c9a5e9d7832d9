/** Questions to the person at the terminal, on standard error: standard output is for results. */
import { createInterface } from 'node:readline/promises'
import { isatty } from 'node:tty'
import { Writable } from 'node:stream'
import { colours, isWatched, say } from './print.ts'

/** Whether a person can be asked. */
export const canAsk = isWatched && isatty(0)

/** An empty answer is the default. */
export async function askFor(question: string, usual = '', signal?: AbortSignal): Promise<string> {
  const hint = usual === '' ? '' : colours.dim(` (${usual})`)
  const answer = await answerTo(`${question}${hint}: `, process.stderr, signal)
  return answer.trim() || usual
}

/** What is typed is not shown. */
export async function askHidden(question: string, signal?: AbortSignal): Promise<string> {
  const nothing = new Writable({ write: (_chunk, _encoding, done) => done() })
  const answer = await answerTo('', nothing, signal, () => void process.stderr.write(`${question}: `))
  say()
  return answer.trim()
}

/** @param onReady called when the terminal no longer shows what is typed: a fast answer would be seen otherwise. */
async function answerTo(
  prompt: string,
  output: NodeJS.WritableStream,
  signal?: AbortSignal,
  onReady: () => void = () => {},
): Promise<string> {
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  onReady()
  // A terminal in raw mode sends no signal on Ctrl-C.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return await (signal === undefined ? lines.question(prompt) : lines.question(prompt, { signal }))
  } finally {
    lines.close()
  }
}
