/** The types that every part of a plan is made of. The plan of a whole stream is `StreamPlan` in stream.ts. */

export type Config = Readonly<Record<string, unknown>>
export type JsonRecord = Record<string, unknown>
export type JsonSchema = Readonly<Record<string, unknown>>

/** The `$parameters` that templates of one component see. */
export type Parameters = Readonly<Record<string, unknown>>

/** Where in a request a value goes. */
export type Placement =
  | { readonly into: 'query' | 'header' | 'form'; readonly name: string }
  | { readonly into: 'json'; readonly path: readonly string[] }
  | { readonly into: 'path' }
