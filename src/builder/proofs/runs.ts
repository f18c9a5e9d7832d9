/** Long-running work of the server, the latest per connector: started, followed, cancelled. */
import { useSyncExternalStore } from 'react'
import type { ApiProblem } from '../../server/wire/problem.ts'
import { AskError, askLines } from '../api/ask.ts'
import { openListeners } from '../listeners.ts'
import { inputsOf } from '../session/inputs.ts'
import { useSession, useSessionStore } from '../session/use-session.tsx'

/** What the work is about: the current text, saved or not, with the inputs of this tab. */
export type Asked = {
  readonly text: string
  readonly connector: string
  readonly config: Record<string, unknown>
  readonly stream: string
}

/** Events on the way, and one at the end. */
type Told<End> = { readonly kind: string } | End
export type EndOf<Event> = Extract<Event, { kind: 'end' }>

export type Run<Event> =
  | { readonly kind: 'none' | 'cancelled' }
  | { readonly kind: 'running'; readonly events: readonly Event[] }
  | { readonly kind: 'failed'; readonly trouble: Trouble }
  /** `text` is what was asked about: an edit since then makes the outcome older than the form. */
  | { readonly kind: 'done'; readonly events: readonly Event[]; readonly end: EndOf<Event>; readonly text: string }

export type Trouble = Pick<ApiProblem, 'detail' | 'hint' | 'code'>

export type Running<Event> = {
  readonly run: Run<Event>
  /** One that is still running is cancelled. */
  readonly start: () => void
  /** Hanging up is what the server takes for "cancel". */
  readonly cancel: () => void
  readonly forget: () => void
}

/** @param path of the request; its response has one event per line */
export function openRuns<Event extends Told<{ kind: 'end'; problem: ApiProblem | null }>>(path: string) {
  const byConnector = new Map<string, { readonly stream: string; readonly run: Run<Event> }>()
  const hangUps = new Map<string, AbortController>()
  const { subscribe, notify } = openListeners()

  function change({ connector, stream }: Pick<Asked, 'connector' | 'stream'>, run: Run<Event>): void {
    byConnector.set(connector, { stream, run })
    notify()
  }
  function cancel(connector: string): void {
    hangUps.get(connector)?.abort()
    hangUps.delete(connector)
    const latest = byConnector.get(connector)
    if (latest?.run.kind === 'running') change({ connector, stream: latest.stream }, { kind: 'cancelled' })
  }
  /** Ends when the work does, and never throws. */
  async function follow(asked: Asked): Promise<void> {
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
  return function useRun(stream: string): Running<Event> {
    const store = useSessionStore()
    const name = useSession((session) => session.name)
    const latest = useSyncExternalStore(subscribe, () => byConnector.get(name))
    return {
      run: latest?.stream === stream ? latest.run : { kind: 'none' },
      start: () => void follow({ text: store.get().text, connector: name, config: { ...inputsOf(name) }, stream }),
      cancel: () => cancel(name),
      forget() {
        cancel(name)
        byConnector.delete(name)
        notify()
      },
    }
  }
}

function endedWith<Event extends { readonly kind: string }>(events: readonly Event[], text: string): Run<Event> {
  const end = events.find((event): event is EndOf<Event> => event.kind === 'end') as
    | (EndOf<Event> & { readonly problem: ApiProblem | null })
    | undefined
  if (end === undefined) return { kind: 'failed', trouble: { detail: 'The server broke off without saying why.' } }
  return end.problem === null ? { kind: 'done', events, end, text } : { kind: 'failed', trouble: end.problem }
}

function troubleOf(error: unknown): Trouble {
  const problem = error instanceof AskError ? error.problem : null
  return problem ?? { detail: error instanceof Error ? error.message : String(error) }
}
