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
