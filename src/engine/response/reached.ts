/** Which hosts have answered in this run, and how long to try one that never did. */
import { isUrl } from '../../is-url.ts'
import { ConnectorError } from '../../errors.ts'
import type { RetryRules } from './retry.ts'

/** Origins that answered, whatever they said. */
export type Reached = Set<string>

/** The name resolves to nothing, or no one listens there. More often a wrong address than a short outage. */
const nobodyThere: readonly unknown[] = ['ENOTFOUND', 'ECONNREFUSED']

/** Two quick retries: enough for a server that is just starting. */
const mostRetries = 2
const quickMs = 500

/** The rules for a request that failed: fewer and quicker retries where its host is not there and never answered. */
export function rulesFor(rules: RetryRules, url: string, cause: unknown, reached: Reached | undefined): RetryRules {
  if (reached === undefined || !isNobodyThere(cause) || reached.has(originOf(url))) return rules
  const { maxRetries, baseMs } = rules
  return { ...rules, maxRetries: Math.min(maxRetries, mostRetries), baseMs: Math.min(baseMs, quickMs) }
}

function isNobodyThere(error: unknown): boolean {
  if (!(error instanceof ConnectorError) || error.code !== 'response/unreachable') return false
  return nobodyThere.includes((error.cause as { code?: unknown } | undefined)?.code)
}

/** An address that cannot be parsed is never asked: `send` refuses it. */
export function originOf(url: string): string {
  return isUrl(url) ? new URL(url).origin : url
}

/** What to do about a host that cannot be reached. `field` is where the manifest names it. */
export function unreachableHint(url: string, field: string): string {
  const host = isUrl(url) ? new URL(url).host : url
  return `Check ${field}: is \`${host}\` the right host and port? If it is, check the network between here and there, then run again.`
}
