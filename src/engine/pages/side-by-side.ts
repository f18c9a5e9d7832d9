/** Several inputs read at once: the next one is taken when a reader is free, outputs are passed on as they arrive. */

type Arrival<In, Out> =
  | { readonly kind: 'input'; readonly result: IteratorResult<In> }
  | { readonly kind: 'output'; readonly reader: AsyncGenerator<Out>; readonly result: IteratorResult<Out> }
  /** Of a reader; of the inputs where that is null. */
  | { readonly kind: 'failure'; readonly reader: AsyncGenerator<Out> | null; readonly error: unknown }

/** Whether the failure of one reader ends the others. */
export type AfterFailure = (error: unknown) => 'continue' | 'end'

type SideBySideTools = {
  readonly afterFailure?: AfterFailure
  /** Called before the clean-up of the readers is awaited: ends what they wait for. */
  readonly cancel?: () => void
}

/**
 * Reads up to `width` inputs side by side; asks how many whenever another one may start. Outputs of one input keep their order; those of different inputs mix as
 * they arrive. A reader continues only after its last output was taken, so at most one output per reader waits, and the
 * next input is taken only when a reader is free: a hundred thousand inputs need no queue.
 *
 * The first failure is thrown: at once, or after all others were read where `afterFailure` says so. Inputs that fail are
 * at their end, and what was taken of them is read. The generator ends only after every reader has cleaned up.
 *
 * @example for await (const page of sideBySide(slices, () => 4, (slice) => readPages(stream, slice))) …
 */
export async function* sideBySide<In, Out>(
  inputs: AsyncIterable<In>,
  width: () => number,
  read: (input: In) => AsyncGenerator<Out>,
  { afterFailure = () => 'end', cancel = () => {} }: SideBySideTools = {},
): AsyncGenerator<Out> {
  const source = inputs[Symbol.asyncIterator]()
  const readers = new Set<AsyncGenerator<Out>>()
  const arrivals = createQueue<Arrival<In, Out>>()
  const watch = (arrival: Promise<Arrival<In, Out>>, reader: AsyncGenerator<Out> | null) => {
    arrival.then(arrivals.push, (error: unknown) => arrivals.push({ kind: 'failure', reader, error }))
  }
  const advance = (reader: AsyncGenerator<Out>) =>
    watch(
      reader.next().then((result) => ({ kind: 'output', reader, result }) as const),
      reader,
    )

  let isTaking = false
  let isExhausted = false
  let failure: { readonly error: unknown } | null = null
  try {
    for (;;) {
      if (!isTaking && !isExhausted && readers.size < width()) {
        isTaking = true
        watch(
          source.next().then((result) => ({ kind: 'input', result }) as const),
          null,
        )
      }
      if (!isTaking && readers.size === 0) {
        if (failure !== null) throw failure.error
        return
      }

      const arrival = await arrivals.take()
      switch (arrival.kind) {
        case 'failure':
          if (afterFailure(arrival.error) === 'end') throw arrival.error
          failure ??= { error: arrival.error }
          if (arrival.reader !== null) readers.delete(arrival.reader)
          else {
            isTaking = false
            isExhausted = true
          }
          break
        case 'input':
          isTaking = false
          if (arrival.result.done === true) isExhausted = true
          else {
            const reader = read(arrival.result.value)
            readers.add(reader)
            advance(reader)
          }
          break
        case 'output':
          if (arrival.result.done === true) readers.delete(arrival.reader)
          else {
            yield arrival.result.value
            advance(arrival.reader)
          }
      }
    }
  } finally {
    // `cancel` first: a reader that waits for a response cleans up only once the response is there or is cancelled.
    cancel()
    await Promise.allSettled([...Array.from(readers, (reader) => reader.return(undefined)), source.return?.()])
  }
}

/** First in, first out; `take` waits until there is something. One taker at a time. */
function createQueue<T>(): { push: (value: T) => void; take: () => Promise<T> } {
  const waiting: T[] = []
  let deliver: ((value: T) => void) | null = null
  return {
    push(value) {
      if (deliver === null) waiting.push(value)
      else {
        deliver(value)
        deliver = null
      }
    },
    take() {
      const first = waiting.shift()
      if (first !== undefined) return Promise.resolve(first)
      return new Promise((resolve) => {
        deliver = resolve
      })
    },
  }
}
