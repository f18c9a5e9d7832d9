/** Several walks at once: inputs are taken as places come free, outputs handed on as they arrive. */

type Arrival<In, Out> =
  | { readonly kind: 'input'; readonly result: IteratorResult<In> }
  | { readonly kind: 'output'; readonly walk: AsyncGenerator<Out>; readonly result: IteratorResult<Out> }
  /** Of a walk, or of the inputs. */
  | { readonly kind: 'failure'; readonly walk: AsyncGenerator<Out> | null; readonly error: unknown }

/** Whether one walk that failed is reason to end the others. */
export type AfterFailure = (error: unknown) => 'go on' | 'end'

/**
 * Reads up to `width` inputs side by side. Outputs of one input keep their order; those of different inputs mix as
 * they arrive. A walk goes on only after its last output was taken, so what waits is one output per walk, and the
 * next input is asked for only when a place is free: a hundred thousand of them need no queue.
 *
 * The first failure is thrown: at once, or once all others were read where `afterFailure` says so. Inputs that fail are
 * at their end, and what was taken of them is read.
 *
 * @example for await (const page of sideBySide(slices, 4, (slice) => readPages(stream, slice))) …
 */
export async function* sideBySide<In, Out>(
  inputs: AsyncIterable<In>,
  width: number,
  read: (input: In) => AsyncGenerator<Out>,
  afterFailure: AfterFailure = () => 'end',
): AsyncGenerator<Out> {
  const source = inputs[Symbol.asyncIterator]()
  const walks = new Set<AsyncGenerator<Out>>()
  const arrivals = createQueue<Arrival<In, Out>>()
  const watch = (arrival: Promise<Arrival<In, Out>>, walk: AsyncGenerator<Out> | null) => {
    arrival.then(arrivals.push, (error: unknown) => arrivals.push({ kind: 'failure', walk, error }))
  }
  const goOn = (walk: AsyncGenerator<Out>) =>
    watch(
      walk.next().then((result) => ({ kind: 'output', walk, result }) as const),
      walk,
    )

  let isAsking = false
  let isExhausted = false
  let failure: { readonly error: unknown } | null = null
  try {
    for (;;) {
      if (!isAsking && !isExhausted && walks.size < width) {
        isAsking = true
        watch(
          source.next().then((result) => ({ kind: 'input', result }) as const),
          null,
        )
      }
      if (!isAsking && walks.size === 0) {
        if (failure !== null) throw failure.error
        return
      }

      const arrival = await arrivals.take()
      switch (arrival.kind) {
        case 'failure':
          if (afterFailure(arrival.error) === 'end') throw arrival.error
          failure ??= { error: arrival.error }
          if (arrival.walk !== null) walks.delete(arrival.walk)
          else {
            isAsking = false
            isExhausted = true
          }
          break
        case 'input':
          isAsking = false
          if (arrival.result.done === true) isExhausted = true
          else {
            const walk = read(arrival.result.value)
            walks.add(walk)
            goOn(walk)
          }
          break
        case 'output':
          if (arrival.result.done === true) walks.delete(arrival.walk)
          else {
            yield arrival.result.value
            goOn(arrival.walk)
          }
      }
    }
  } finally {
    // Each is told to stop; one that waits for an answer stops when it comes or is cancelled, and nobody waits for it.
    for (const walk of walks) walk.return(undefined).catch(() => {})
    source.return?.()?.catch(() => {})
  }
}

/** What came first is taken first; whoever takes waits until something is there. One taker at a time. */
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
