/**
 * Environment variables that test configs may refer to as `${NAME}`, each with the origins that its value may be sent to. On this
 * machine the user allows an origin in the builder. A server that others can reach has only those that its operator named.
 */
import type { Egress } from '../../engine/response/egress.ts'
import { ConnectorError } from '../../std/errors.ts'
import type { BoundSecret } from './secret-network.ts'

export type EnvironmentNames = {
  /** Throws for a name that is not set, or not allowed. */
  readonly find: (name: string) => BoundSecret
  /** In addition to those before, until the server stops. */
  readonly allow: (name: string, origins: readonly string[]) => void
  readonly mayAllow: boolean
}

/** Whether others can reach the server: with a token a proxy may make it public, wherever it listens. */
export function isSharedServer({ token, egress }: { readonly token: string | null; readonly egress: Egress }): boolean {
  return token !== null || egress === 'public-only'
}

export type EnvironmentOptions = {
  readonly isShared: boolean
  /** Those that the operator named. */
  readonly named: readonly BoundSecret[]
}

export function openEnvironmentNames({ isShared, named }: EnvironmentOptions): EnvironmentNames {
  const added = new Map<string, readonly string[]>()
  const operators = (name: string) => named.find((one) => one.name === name)
  const originsOf = (name: string) => [...new Set([...(operators(name)?.origins ?? []), ...(added.get(name) ?? [])])]
  return {
    mayAllow: !isShared,
    find(name) {
      // Whether another name is set is not for others to know.
      if (isShared && operators(name) === undefined) {
        throw new ConnectorError('secrets/not-allowed', `This server does not allow \${${name}}.`)
      }
      const value = operators(name)?.value ?? process.env[name] ?? ''
      if (value !== '') return { name, value, origins: originsOf(name) }
      throw new ConnectorError('secrets/no-variable', `The environment variable ${name} is not set for the server.`)
    },
    allow(name, origins) {
      if (isShared) throw new ConnectorError('secrets/not-allowed', `This server does not allow \${${name}}.`)
      added.set(name, [...originsOf(name), ...origins])
    },
  }
}
