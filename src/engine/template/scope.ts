/** What a caller hands to a template: names and their values, and optionally a clock and a source of UUIDs. */

/** `() => Date | epoch milliseconds`, for tests and replays. */
export const nowKey: unique symbol = Symbol('now')
/** `() => string` */
export const uuidKey: unique symbol = Symbol('uuid')

/** Read lazily, own keys only; never copied, never changed. */
export type Scope = {
  readonly [name: string]: unknown
  readonly [nowKey]?: () => Date | number
  readonly [uuidKey]?: () => string
}
