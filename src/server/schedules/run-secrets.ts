/**
 * Secrets in the config of a scheduled run, on a server that others can reach. Its clients write manifests: as for test configs,
 * templates get markers, and the values go only to their origins: for a variable those that the operator named, for a file those
 * of its connection.
 */
import type { Connection } from '../../connections/connection.ts'
import { hasReferences } from '../../connections/references.ts'
import type { LoadedManifest } from '../../connector/load-manifest.ts'
import { secretsOf } from '../../engine/secrets/find-secrets.ts'
import type { Network } from '../../engine/response/send.ts'
import { ConnectorError } from '../../std/errors.ts'
import { configLeaves } from '../secrets/config-leaves.ts'
import type { EnvironmentNames } from '../secrets/environment-names.ts'
import { type BoundSecret, markerOf, onlyToOrigins, shortestHidden, withSecrets } from '../secrets/secret-network.ts'
import { tooShort } from '../secrets/test-configs.ts'

export type RunSecrets = {
  /** What takes the place of a reference to this variable. */
  readonly variable: (name: string) => string
  /** What takes the place of a reference to a file with this content. */
  readonly file: (content: string, reference: string, connection: Connection) => string
  /** Puts in the values of those that were asked for. */
  readonly wrap: (network: Network) => Network
}

export function openRunSecrets(environment: Pick<EnvironmentNames, 'find'>): RunSecrets {
  const used = new Map<string, BoundSecret>()
  const shown: BoundSecret[] = []
  return {
    variable(name) {
      const secret = environment.find(name)
      if (secret.value.length < shortestHidden) throw tooShort([name])
      used.set(name, secret)
      return markerOf(secret)
    },
    file(value, reference, { name, origins }) {
      if (origins === null) {
        const message = `The connection "${name}" does not say where the secret in ${reference} may be sent.`
        throw new ConnectorError('secrets/no-origins', message)
      }
      // With a dot, which the name of a variable cannot have.
      const secret = { name: `file.${used.size + shown.length}`, title: `The secret in ${reference}`, value, origins }
      if (canBeMarked(value)) {
        used.set(secret.name, secret)
        return markerOf(secret)
      }
      shown.push(secret)
      return value
    },
    wrap: (network) =>
      onlyToOrigins(shown, 'secrets/elsewhere')(withSecrets([...used.values()], 'secrets/elsewhere')(network)),
  }
}

/** A key of several lines is for signing, which a marker cannot do; a short value cannot be hidden in responses. */
function canBeMarked(value: string): boolean {
  return value.length >= shortestHidden && !value.includes('\n')
}

/** Nothing says which addresses a secret is for that is part of the config itself. */
export function refuseWrittenSecrets({ name, config }: Connection, manifest: LoadedManifest): void {
  const known = new Set<unknown>(secretsOf(manifest, config))
  const found = configLeaves(config).find(({ value }) => known.has(value) && !hasReferences(value))
  if (found === undefined) return
  const field = found.path.join('.')
  throw new ConnectorError('secrets/written-out', `\`${field}\` of the connection "${name}" is a secret, written out.`)
}
