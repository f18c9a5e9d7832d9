/** One thing of an API that a stream asks: itself, a parent, a login. It knows its requests and has an answer to each. */
import type { Fit } from './address.ts'
import type { Answer, Asked } from './asked.ts'

export type Role = 'own' | 'parent' | 'login' | 'schema' | 'resolver' | 'properties' | 'job'

export type Endpoint = {
  readonly role: Role
  readonly name: string
  readonly fit: Fit
  readonly answer: (asked: Asked) => Answer
  /** Pages for which no answer was found that makes the engine go on. */
  readonly shortfalls: string[]
}

/** Null where nobody knows the request. */
export function answerOf(endpoints: readonly Endpoint[], asked: Asked): Answer | null {
  return endpointFor(endpoints, asked)?.answer(asked) ?? null
}

/** The one that a request fits best; what streams are made from stays the same for whoever asks. */
export function endpointFor(endpoints: readonly Endpoint[], asked: Asked): Endpoint | null {
  const made = endpoints.filter(({ role, fit }) => role === 'resolver' && fit(asked) >= 0)
  const candidates = made.length === 0 ? endpoints : made
  const fits = candidates.map((endpoint) => ({ endpoint, fit: endpoint.fit(asked) })).filter(({ fit }) => fit >= 0)
  return fits.toSorted((one, other) => other.fit - one.fit)[0]?.endpoint ?? null
}
