/** What a caller hands to a template: names and their values, and optionally a clock and a source of UUIDs. */

/** `() => Date | epoch milliseconds`, for tests and replays. */
export const nowKey: unique symbol = Symbol('now')
/** `() => string` */
export const uuidKey: unique symbol = Symbol('uuid')

/**
 * The same object with a hidden clock: every scope of a run holds its config, and the clock with it.
 *
 * @example compileTemplate('{{ now_utc() }}').evaluate({ config: withClock(config, () => 0) }) // 1970
 */
export function withClock<T extends object>(config: T, now: () => number): T {
  return Object.defineProperty({ ...config }, nowKey, { value: now })
}

/** Epoch milliseconds, by the clock of the scope or of its config, or else of the machine. */
export function nowIn(scope: Scope): number {
  const clock = scope[nowKey] ?? (scope.config as Scope | null | undefined)?.[nowKey]
  return clock === undefined ? Date.now() : Number(clock())
}

/** Read lazily, own keys only; never copied, never changed. */
export type Scope = {
  readonly [name: string]: unknown
  readonly [nowKey]?: () => Date | number
  readonly [uuidKey]?: () => string
}
