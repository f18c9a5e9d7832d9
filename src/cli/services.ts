/** Host and environment → what the API works with. */
import { join } from 'node:path'
import { ConnectorError } from '../std/errors.ts'
import { isLoopback } from '../server/guards.ts'
import type { Services } from '../server/services.ts'
import { openSyncs } from '../server/syncs/syncs.ts'
import { packageFolder } from './package.ts'

/** Throws before anything listens: whoever reaches the API can read with the credentials that people type into it. */
export function tokenFor(host: string): string | null {
  const token = process.env.TURNLEAF_TOKEN || null
  if (token !== null && !/^[\x21-\x7e]+$/.test(token)) {
    throw new ConnectorError('cli/arguments', 'TURNLEAF_TOKEN has a character that a header cannot carry.', {
      hint: 'Use letters and digits, for example the output of `openssl rand -hex 32`.',
    })
  }
  if (token === null && !isLoopback(host)) {
    throw new ConnectorError(
      'cli/no-token',
      `On ${host} others than this machine reach the API, and no token keeps them out.`,
    )
  }
  return token
}

/** Ended with the scope: `await using services = servicesFor(…)` waits until syncs have committed what they read. */
export function servicesFor(host: string, token: string | null, lab: string): Services & AsyncDisposable {
  const isPrivate = isLoopback(host)
  const home = process.env.TURNLEAF_HOME || process.cwd()
  const egress = isPrivate ? 'loopback-allowed' : 'public-only'
  const syncs = openSyncs({ home, egress })
  return {
    home,
    // In a checkout these lie where a user's connectors would.
    leftOut: [join(packageFolder(), 'connectors/lab')],
    pages: join(packageFolder(), 'dist/builder'),
    // Others may not reach what listens on this machine only, so there is nothing to try for them.
    lab: isPrivate ? lab : null,
    token,
    egress,
    syncs,
    [Symbol.asyncDispose]: () => syncs[Symbol.asyncDispose](),
  }
}
