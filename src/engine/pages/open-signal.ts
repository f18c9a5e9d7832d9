/** One signal for what the reader of pages cancels and for what ends when it stops reading. */

export type OpenSignal = {
  readonly signal: AbortSignal
  /** Nobody wants the rest: whatever is under way stops. */
  readonly cancel: () => void
}

export function openSignal(ofReader: AbortSignal | undefined): OpenSignal {
  const own = new AbortController()
  const signal = ofReader === undefined ? own.signal : AbortSignal.any([ofReader, own.signal])
  return { signal, cancel: () => own.abort() }
}
