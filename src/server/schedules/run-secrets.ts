/**
 * Environment variables in the config of a scheduled run, on a server that others can reach. Its clients write manifests: as for
 * test configs, templates get markers, and the values go only to the origins that the operator named.
 */
import type { Network } from '../../engine/response/send.ts'
import type { EnvironmentNames } from '../secrets/environment-names.ts'
import { type BoundSecret, markerOf, shortestHidden, withSecrets } from '../secrets/secret-network.ts'
import { tooShort } from '../secrets/test-configs.ts'

export type RunSecrets = {
  /** What takes the place of a reference to this variable. */
  readonly variable: (name: string) => string
  /** Puts in the values of those that were asked for. */
  readonly wrap: (network: Network) => Network
}

export function openRunSecrets(environment: Pick<EnvironmentNames, 'find'>): RunSecrets {
  const used = new Map<string, BoundSecret>()
  return {
    variable(name) {
      const secret = environment.find(name)
      if (secret.value.length < shortestHidden) throw tooShort([name])
      used.set(name, secret)
      return markerOf(secret)
    },
    wrap: (network) => withSecrets([...used.values()], 'secrets/elsewhere')(network),
  }
}
