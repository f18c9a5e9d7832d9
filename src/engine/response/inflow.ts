/** Chunks that a socket brings → an iterator that a reader takes its time with: the sender is held back meanwhile. */

export type Inflow = {
  /** What the socket side calls. */
  readonly push: (chunk: Uint8Array) => void
  readonly end: () => void
  readonly fail: (reason: unknown) => void
  readonly chunks: AsyncIterableIterator<Uint8Array>
}

type Valve = {
  readonly pause: () => void
  readonly resume: () => void
  /** The reader wants no more. */
  readonly cancel: () => void
}

/** Bytes that may wait for the reader before the sender is held back. */
const roomBytes = 1024 * 1024

export function openInflow({ pause, resume, cancel }: Valve): Inflow {
  const waiting: Uint8Array[] = []
  let waitingBytes = 0
  let isPaused = false
  const ending: { isReached: boolean; failure: unknown } = { isReached: false, failure: null }
  let wake: () => void = () => {}

  const finish = (failure: unknown) => {
    if (!ending.isReached) Object.assign(ending, { isReached: true, failure })
    wake()
  }
  const take = (): Uint8Array | undefined => {
    const chunk = waiting.shift()
    waitingBytes -= chunk?.length ?? 0
    if (isPaused && waitingBytes < roomBytes / 2) {
      isPaused = false
      resume()
    }
    return chunk
  }

  return {
    push(chunk) {
      waiting.push(chunk)
      waitingBytes += chunk.length
      if (waitingBytes >= roomBytes && !isPaused) {
        isPaused = true
        pause()
      }
      wake()
    },
    end: () => finish(null),
    fail: (failure) => finish(failure),
    chunks: {
      async next() {
        while (waiting.length === 0 && !ending.isReached) {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
        const value = take()
        if (value !== undefined) return { done: false, value }
        if (ending.failure !== null) throw ending.failure
        return { done: true, value: undefined }
      },
      async return() {
        waiting.length = 0
        const isOpen = !ending.isReached
        finish(null)
        if (isOpen) cancel()
        return { done: true, value: undefined }
      },
      [Symbol.asyncIterator]() {
        return this
      },
    },
  }
}
