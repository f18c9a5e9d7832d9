/** Long-running work of the server, the latest per connector: started, followed, cancelled. */
import type { ApiProblem } from '../../server/wire/problem.ts'
import { AskError, askLines } from '../api/ask.ts'
import { inputsOf } from '../session/inputs.ts'
import { useSession, useSessionStore } from '../session/use-session.tsx'
import { createStoreByKey } from '../store.ts'
import { messageOf } from '../../std/text/message-of.ts'

/** What the work is about: the current text, saved or not, with the inputs of this tab. */
export type WorkRequest = {
  readonly text: string
  readonly connector: string
  readonly config: Record<string, unknown>
  readonly stream: string
}

/** Events on the way, and one at the end. */
export type WorkEvent = { readonly kind: string } | { kind: 'end'; problem: ApiProblem | null }
export type EndOf<Event> = Extract<Event, { kind: 'end' }>

export type WorkState<Event> =
  | { readonly kind: 'none' | 'cancelled' }
  | { readonly kind: 'running'; readonly events: readonly Event[] }
  | { readonly kind: 'failed'; readonly trouble: WorkProblem }
  /** `text` is what was asked about: an edit since then makes the outcome older than the form. */
  | { readonly kind: 'done'; readonly events: readonly Event[]; readonly end: EndOf<Event>; readonly text: string }

export type WorkProblem = Pick<ApiProblem, 'detail' | 'hint' | 'code'>

export type RunningWork<Event> = {
  readonly run: WorkState<Event>
  /** One that is still running is cancelled. */
  readonly start: () => void
  /** Hanging up is what the server takes for "cancel". */
  readonly cancel: () => void
  readonly forget: () => void
}

/** @param path of the request; its response has one event per line */
export function createWork<Event extends WorkEvent>(path: string) {
  const byConnector = createStoreByKey<{ readonly stream: string; readonly run: WorkState<Event> }>()
  const hangUps = new Map<string, AbortController>()

  function change({ connector, stream }: Pick<WorkRequest, 'connector' | 'stream'>, run: WorkState<Event>): void {
    byConnector.set(connector, { stream, run })
  }
  function cancel(connector: string): void {
    hangUps.get(connector)?.abort()
    hangUps.delete(connector)
    const latest = byConnector.get(connector)
    if (latest?.run.kind === 'running') change({ connector, stream: latest.stream }, { kind: 'cancelled' })
  }
  /** Ends when the work does, and never throws. */
  async function follow(asked: WorkRequest): Promise<void> {
    cancel(asked.connector)
    const hangUp = new AbortController()
    const { signal } = hangUp
    hangUps.set(asked.connector, hangUp)
    const events: Event[] = []
    change(asked, { kind: 'running', events })
    try {
      for await (const event of askLines<Event>('POST', path, { body: asked, signal })) {
        if (signal.aborted) return
        // What says only that time passes changes nothing.
        if (event.kind === 'waiting') continue
        events.push(event)
        change(asked, { kind: 'running', events: [...events] })
      }
      if (!signal.aborted) change(asked, endedWith(events, asked.text))
    } catch (error) {
      if (!signal.aborted) change(asked, { kind: 'failed', trouble: troubleOf(error) })
    }
  }

  /** The latest of the open connector, where it is about this stream. */
  return function useRun(stream: string): RunningWork<Event> {
    const store = useSessionStore()
    const name = useSession((session) => session.name)
    const latest = byConnector.use(name, (one) => one)
    return {
      run: latest?.stream === stream ? latest.run : { kind: 'none' },
      start: () => void follow({ text: store.get().text, connector: name, config: { ...inputsOf(name) }, stream }),
      cancel: () => cancel(name),
      forget() {
        cancel(name)
        byConnector.delete(name)
      },
    }
  }
}

function endedWith<Event extends { readonly kind: string }>(events: readonly Event[], text: string): WorkState<Event> {
  const end = events.find((event): event is EndOf<Event> => event.kind === 'end') as
    | (EndOf<Event> & { readonly problem: ApiProblem | null })
    | undefined
  if (end === undefined) return { kind: 'failed', trouble: { detail: 'The server ended without a reason.' } }
  return end.problem === null ? { kind: 'done', events, end, text } : { kind: 'failed', trouble: end.problem }
}

function troubleOf(error: unknown): WorkProblem {
  const problem = error instanceof AskError ? error.problem : null
  return problem ?? { detail: messageOf(error) }
}
