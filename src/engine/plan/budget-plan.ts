/** How many requests an API takes, as plain data. */

export type BudgetPlan = {
  /** The first that a request matches counts it; a request that matches none is free. */
  readonly policies: readonly PolicyPlan[]
  /** Lower-case names of the headers in which answers tell when the quota is back, and how much of it is left. */
  readonly resetHeader: string
  readonly remainingHeader: string
  /** An answer with one of these says that nothing is left. */
  readonly exhaustedStatuses: readonly number[]
}

export type PolicyPlan = {
  /** Each is enough; without any, every request matches. */
  readonly matchers: readonly MatcherPlan[]
} & (
  | { readonly kind: 'unlimited' }
  /** In no stretch of time as long as the interval more calls than the limit, for each of the rates. */
  | { readonly kind: 'moving'; readonly rates: readonly RatePlan[] }
  /** The count starts anew when the API says so, or a period after the first call. */
  | ({ readonly kind: 'fixed' } & RatePlan)
)

export type RatePlan = { readonly limit: number; readonly intervalMs: number }

/** What is null or empty is not looked at. */
export type MatcherPlan = {
  readonly method: string | null
  readonly origin: string | null
  /** A regular expression to be found in the path. */
  readonly path: string | null
  readonly query: Readonly<Record<string, string>>
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** How many calls such a request counts for. */
  readonly weight: number
}
