/** What happens, as it happens → events that whoever shows them takes one by one; one who takes none makes others wait. */

export type EventQueue<Event> = {
  readonly tell: (event: Event) => void
  /** Resolves once few events wait, or nobody listens any more. */
  readonly hasRoom: () => Promise<void>
  /** No further event comes; those that wait are still handed out. */
  readonly end: () => void
  readonly events: AsyncIterableIterator<Event>
}

export type LineOptions<Event> = {
  /** Told once, when whoever listens leaves before the end. */
  readonly onLeave: () => void
  /** After so long without an event, `whenSilent` says one. */
  readonly silenceMs: number
  readonly whenSilent: () => Event
}

/** A page is large and an event about a request is small: so many may wait. */
const room = 8

/** Not a generator: `return` of one waits for the event that `next` waits for, and whoever leaves wants it to end now. */
export function openEventQueue<Event>({ onLeave, silenceMs, whenSilent }: LineOptions<Event>): EventQueue<Event> {
  const waiting: Event[] = []
  let isOver = false
  let deliver: ((result: IteratorResult<Event>) => void) | null = null
  let resume: (() => void)[] = []

  const over: IteratorResult<Event> = { done: true, value: undefined }
  const goOn = () => {
    for (const one of resume) one()
    resume = []
  }
  const take = (): IteratorResult<Event> | null => {
    const event = waiting.shift()
    if (waiting.length < room) goOn()
    if (event !== undefined) return { done: false, value: event }
    return isOver ? over : null
  }
  const end = () => {
    isOver = true
    deliver?.(take() ?? over)
    goOn()
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
    tell(event) {
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
