/** How failures are met: what answers mean, how often to ask again, how long to wait before. */
import type { FailureType, SourceLocation } from '../../std/errors.ts'
import type { CustomPlan } from '../custom/component.ts'
import type { Template } from '../template/template.ts'
import type { Parameters } from './plan.ts'

/** What answers mean, how often to ask again, and how long to wait before. */
export type ErrorPlan = {
  readonly rules: ErrorRules
  /** Tries after the first one. */
  readonly maxRetries: number
  /** The first that knows a wait is followed, whatever the failure; when none does, the server's own word counts. */
  readonly waits: readonly WaitPlan[]
}

export type ErrorRules =
  /** The first filter that matches decides; when none does, the status. */
  | { readonly kind: 'filters'; readonly filters: readonly ResponseFilter[] }
  /** The class is asked first; what it has no opinion on, its own filters decide. */
  | { readonly kind: 'custom'; readonly custom: CustomPlan; readonly otherwise: ErrorRules }
  /** Asked one after the other until one accepts, ignores or asks again; otherwise the last one's word stands. */
  | { readonly kind: 'in-turn'; readonly members: readonly ErrorRules[] }

/** `reset`: the pages of the slice start again; `refresh`: a new token is fetched before the next try. */
export type ResponseAction = 'accept' | 'ignore' | 'retry' | 'rate-limited' | 'refresh' | 'reset' | 'fail'

export type ResponseFilter = {
  readonly action: ResponseAction
  /** Each of the three is enough to match. */
  readonly statuses: readonly number[]
  readonly when: Template | null
  readonly saying: string | null

  readonly message: Template | null
  readonly failureType: FailureType | null
  readonly parameters: Parameters
  readonly at: SourceLocation
}

export type WaitPlan =
  | { readonly kind: 'constant'; readonly seconds: number; readonly jitterSeconds: number }
  /** Doubled with every try: twice the factor after the first. */
  | { readonly kind: 'exponential'; readonly factor: number; readonly jitterSeconds: number }
  /** The header holds seconds to wait. */
  | ({ readonly kind: 'for-header' } & WaitHeader)
  /** The header holds seconds since 1970. */
  | ({ readonly kind: 'until-header'; readonly minSeconds: number | null } & WaitHeader)
  | { readonly kind: 'custom'; readonly custom: CustomPlan }

export type WaitHeader = {
  readonly header: string
  /** What the header starts with, if this matches, is the number. */
  readonly pattern: string | null
  /** A wait this long or longer ends the read. */
  readonly maxSeconds: number | null
}
