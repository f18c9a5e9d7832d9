/** A signal → one that gives what is under way a moment to end, so that its outcome is known. */

/** By the wall clock: a read that was cancelled must end. */
const momentMs = 5_000

/**
 * A job whose creation is cancelled half-way may run on the server, unknown to anybody. Its answer is worth a moment:
 * a job that is known can be aborted.
 *
 * @example const answer = await lingering(signal, (patient) => send(request, patient))
 */
export async function lingering<T>(signal: AbortSignal, act: (patient: AbortSignal) => Promise<T>): Promise<T> {
  const patient = new AbortController()
  const endSoon = () => {
    const end = () => patient.abort(signal.reason)
    AbortSignal.timeout(momentMs).addEventListener('abort', end, { once: true })
  }
  if (signal.aborted) patient.abort(signal.reason)
  else signal.addEventListener('abort', endSoon, { once: true })
  try {
    return await act(patient.signal)
  } finally {
    signal.removeEventListener('abort', endSoon)
  }
}
