/** Work on long texts, given to the background thread. It is started with the first of it. */
import { readAhead } from '../../document/open-document.ts'
import type { DocumentProblem } from '../../document/source-tree.ts'
import { longestAtOnce } from '../../document/tree-of.ts'
import { stringifyJson } from '../../std/json.ts'
import { acceptedAnswer, ask, noAnswer } from '../api/ask.ts'
import { currentToken } from '../api/token.ts'
import type { AskReply, BackgroundJob, BackgroundMessage, BackgroundReply } from './jobs.ts'

type Waiting = { readonly take: (result: BackgroundReply['result']) => void; readonly fail: (cause: unknown) => void }

const waiting = new Map<number, Waiting>()
let thread: Worker | null = null
let lastId = 0

/** The body of a request: a text, and what else there is to know. */
type AboutText = { readonly text: string; readonly [other: string]: unknown }

/** Asks the server about the text of a manifest. */
export async function askAboutText<Answer>(
  path: string,
  { text, ...others }: AboutText,
  signal: AbortSignal,
): Promise<Answer> {
  if (text.length <= longestAtOnce) return ask<Answer>('POST', path, { body: { text, ...others }, signal })
  const job = { kind: 'ask', path, text, others: stringifyJson(others), token: currentToken() } as const
  const reply = (await run(job, signal)) as AskReply
  if (reply === null) throw noAnswer()
  return acceptedAnswer(reply, job.token) as Answer
}

/** Reads a long text in small steps; false once it is not wanted any more. */
export async function readLong(text: string, isWanted: () => boolean): Promise<boolean> {
  const pause = async () => {
    await new Promise((resolve) => setTimeout(resolve))
    return isWanted()
  }
  // While keys follow each other, only the last text is worth the work.
  await new Promise((resolve) => setTimeout(resolve, restMs))
  return isWanted() && (await readAhead(text, { pause, findProblem, isTyped: true }))
}

const restMs = 100

/** Before it is shown: then nothing has to wait. */
export async function readBeforeOpening(text: string): Promise<void> {
  await readAhead(text, {
    pause: () => new Promise((resolve) => setTimeout(() => resolve(true))),
    findProblem,
  })
}

async function findProblem(text: string): Promise<DocumentProblem | null> {
  return (await run({ kind: 'problem', text })) as DocumentProblem | null
}

function run(job: BackgroundJob, signal?: AbortSignal): Promise<BackgroundReply['result']> {
  const id = ++lastId
  const result = new Promise<BackgroundReply['result']>((take, fail) => {
    waiting.set(id, { take, fail })
    signal?.addEventListener('abort', () => {
      if (!waiting.delete(id)) return
      tell({ id, job: null })
      fail(signal.reason)
    })
  })
  tell({ id, job })
  return result
}

function tell(message: BackgroundMessage): void {
  thread ??= startThread()
  thread.postMessage(message)
}

function startThread(): Worker {
  const started = new Worker(new URL('./thread.ts', import.meta.url), { type: 'module' })
  started.addEventListener('message', ({ data: { id, result } }: MessageEvent<BackgroundReply>) => {
    waiting.get(id)?.take(result)
    waiting.delete(id)
  })
  started.addEventListener('error', () => {
    // Its file could not be loaded: the next job tries again.
    thread = null
    for (const { fail } of waiting.values()) fail(noAnswer())
    waiting.clear()
  })
  return started
}
