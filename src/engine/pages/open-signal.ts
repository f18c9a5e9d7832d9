/** One signal that is aborted when the caller cancels or stops reading. */
import { untilAborted } from '../response/until-aborted.ts'

type OpenSignal = {
  readonly signal: AbortSignal
  /** Cancels whatever is under way: the rest is not read. */
  readonly cancel: () => void
  /** Nothing is under way any more: the signal need not follow the caller's. */
  readonly release: () => void
}

/**
 * `AbortSignal.any` would do, but releases of Node 20 keep some of each such signal for as long as the one that it follows
 * lives, and a read may have a hundred thousand slices.
 *
 * @example const { signal, cancel } = openSignal(options.signal)
 */
export function openSignal(ofReader: AbortSignal | undefined): OpenSignal {
  const own = new AbortController()
  const followers = ofReader === undefined ? null : followersOf(ofReader)
  if (ofReader?.aborted) own.abort(ofReader.reason)
  else followers?.add(own)
  return {
    signal: own.signal,
    cancel() {
      followers?.delete(own)
      own.abort(over)
    },
    release() {
      followers?.delete(own)
    },
  }
}

/**
 * What the work gives, or an error once the caller has cancelled: custom code may never finish. It waits on a signal of its
 * own, since beyond ten listeners on the caller's Node warns of a leak.
 */
export async function unlessCancelled<T>(work: Promise<T>, ofReader: AbortSignal | undefined): Promise<T> {
  const { signal, release } = openSignal(ofReader)
  try {
    return await untilAborted(work, signal)
  } finally {
    release()
  }
}

/** Made once: an error with its stack for every slice would take a tenth of the time a small one takes. */
const over = new DOMException('The read is over.', 'AbortError')

/** One listener each, however many follow: beyond ten Node warns of a leak. */
const known = new WeakMap<AbortSignal, Set<AbortController>>()

function followersOf(leader: AbortSignal): Set<AbortController> {
  const followers = known.get(leader) ?? new Set()
  if (known.has(leader)) return followers
  known.set(leader, followers)
  leader.addEventListener('abort', () => followers.forEach((one) => one.abort(leader.reason)), { once: true })
  return followers
}
