/** A queue of events with one reader: a slow reader makes the sender wait. */

export type EventQueue<Event> = {
  readonly send: (event: Event) => void
  /** Resolves once few events are waiting, or the reader has left. */
  readonly hasRoom: () => Promise<void>
  /** No more events; those that are waiting are still delivered. */
  readonly end: () => void
  readonly events: AsyncIterableIterator<Event>
}

export type LineOptions<Event> = {
  /** Called once, if the reader leaves before the end. */
  readonly onLeave: () => void
  /** After this time without an event, `whenSilent` makes one. */
  readonly silenceMs: number
  readonly whenSilent: () => Event
}

/** How many events may wait. */
const room = 8

/** Not a generator: its `return` would wait for the pending `next`, but a reader that leaves must end it at once. */
export function openEventQueue<Event>({ onLeave, silenceMs, whenSilent }: LineOptions<Event>): EventQueue<Event> {
  const waiting: Event[] = []
  let isOver = false
  let deliver: ((result: IteratorResult<Event>) => void) | null = null
  let resume: (() => void)[] = []

  const over: IteratorResult<Event> = { done: true, value: undefined }
  const resumeAll = () => {
    for (const one of resume) one()
    resume = []
  }
  const take = (): IteratorResult<Event> | null => {
    const event = waiting.shift()
    if (waiting.length < room) resumeAll()
    if (event !== undefined) return { done: false, value: event }
    return isOver ? over : null
  }
  const end = () => {
    isOver = true
    deliver?.(take() ?? over)
    resumeAll()
  }

  const events: AsyncIterableIterator<Event> = {
    [Symbol.asyncIterator]: () => events,
    async next() {
      const ready = take()
      if (ready !== null) return ready
      return new Promise((resolve) => {
        const silence = setTimeout(() => deliver?.({ done: false, value: whenSilent() }), silenceMs)
        deliver = (result) => {
          clearTimeout(silence)
          deliver = null
          resolve(result)
        }
      })
    },
    async return() {
      if (!isOver) onLeave()
      waiting.length = 0
      end()
      return over
    },
  }
  return {
    send(event) {
      if (isOver) return
      if (deliver === null) waiting.push(event)
      else deliver({ done: false, value: event })
    },
    hasRoom() {
      if (isOver || waiting.length < room) return Promise.resolve()
      return new Promise((resolve) => {
        resume.push(resolve)
      })
    },
    end,
    events,
  }
}
