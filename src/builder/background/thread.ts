/** A thread of its own, for work on long texts: the page stays free to draw what is typed. */
import { openDocument } from '../../document/open-document.ts'
import type { AskJob, AskReply, BackgroundJob, BackgroundMessage, BackgroundReply } from './jobs.ts'

const running = new Map<number, AbortController>()

/** The types of a page are in use here, in which `self` is a window. */
const thread = self as unknown as {
  addEventListener(kind: 'message', listener: (event: MessageEvent<BackgroundMessage>) => void): void
  postMessage(reply: BackgroundReply): void
}

thread.addEventListener('message', ({ data: { id, job } }) => {
  if (job === null) running.get(id)?.abort()
  else void run(id, job)
})

async function run(id: number, job: BackgroundJob): Promise<void> {
  const ending = new AbortController()
  running.set(id, ending)
  const result = job.kind === 'ask' ? await ask(job, ending.signal) : openDocument(job.text).problem
  running.delete(id)
  if (!ending.signal.aborted) thread.postMessage({ id, result })
}

async function ask({ path, text, others, token }: AskJob, signal: AbortSignal): Promise<AskReply> {
  const rest = others === '{}' ? '}' : `,${others.slice(1)}`
  const headers = { 'Content-Type': 'application/json', ...(token !== null && { Authorization: `Bearer ${token}` }) }
  try {
    const body = `{"text":${JSON.stringify(text)}${rest}`
    const response = await fetch(path, { method: 'POST', headers, body, signal })
    return { status: response.status, text: await response.text() }
  } catch {
    return null
  }
}
