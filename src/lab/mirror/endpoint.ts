/** One endpoint of an API that a stream requests: its list, a parent, a login. It knows its requests and answers each. */
import type { Fit } from './match-request.ts'
import type { MirrorResponse, MirrorRequest } from './mirror-request.ts'

export type Role = 'own' | 'parent' | 'login' | 'schema' | 'resolver' | 'properties' | 'job'

export type Endpoint = {
  readonly role: Role
  readonly name: string
  readonly fit: Fit
  readonly answer: (request: MirrorRequest) => MirrorResponse
  /** Pages for which no response makes the engine continue. */
  readonly shortfalls: string[]
}

/** Null where no endpoint fits the request. */
export function answerOf(endpoints: readonly Endpoint[], request: MirrorRequest): MirrorResponse | null {
  return endpointFor(endpoints, request)?.answer(request) ?? null
}

/** The endpoint that a request fits best. */
export function endpointFor(endpoints: readonly Endpoint[], request: MirrorRequest): Endpoint | null {
  const made = endpoints.filter(({ role, fit }) => role === 'resolver' && fit(request) >= 0)
  const candidates = made.length === 0 ? endpoints : made
  const fits = candidates.map((endpoint) => ({ endpoint, fit: endpoint.fit(request) })).filter(({ fit }) => fit >= 0)
  return fits.toSorted((one, other) => other.fit - one.fit)[0]?.endpoint ?? null
}
